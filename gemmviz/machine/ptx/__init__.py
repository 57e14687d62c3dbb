"""PTX as text: functions, statements, registers, variables, and the source lines they come from."""
