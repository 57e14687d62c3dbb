"""A session as a handout: charts, pictures, results, sources and terms on pages of paper."""
