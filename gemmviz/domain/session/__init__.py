"""Everything a person made in one sitting, its file, and what is believed of a file from elsewhere."""
