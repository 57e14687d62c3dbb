"""Which PTX instructions touch memory or hold variables, and what each is told to write down."""
