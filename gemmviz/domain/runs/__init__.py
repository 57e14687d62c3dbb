"""What a run found out: times, accuracy, gauges, roofs and block schedules, with their words."""
