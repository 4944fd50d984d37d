// libFuzzer's driver, which lies in the compiler's own runtime library (FuzzerDriver.cpp).
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *_Nonnull argc, char *_Nullable *_Nullable *_Nonnull argv, int (*_Nonnull target)(const uint8_t *_Nullable data, size_t count));
