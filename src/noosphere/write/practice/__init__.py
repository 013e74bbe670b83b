"""What an agent learns of its own work: signals of what could be better, traces of what was done, procedures."""
