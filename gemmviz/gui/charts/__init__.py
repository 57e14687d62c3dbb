"""Charts, the plots and pages they make up, and one painter for all figures."""
