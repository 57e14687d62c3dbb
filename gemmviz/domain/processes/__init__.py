"""Other programs: started, limited, ended with all their descendants."""
