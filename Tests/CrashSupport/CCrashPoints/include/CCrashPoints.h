// Calls of the system that change files, met on their way: the process can be killed right before any of them, as by a power cut.
#pragma once

/// Kills this process before call number `number`, counted from now on; 0 for none.
void crashpoints_arm(long number);

/// How many such calls there have been since.
long crashpoints_count(void);
