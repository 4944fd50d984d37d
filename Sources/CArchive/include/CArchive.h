#pragma once
#include <archive.h>
#include <archive_entry.h>

#include "ChunkDeflate.h"
#include "TarReading.h"
#include "ZipSeam.h"
