"""The desktop application. Widgets receive values and emit values; control/ and window/ connect them."""
