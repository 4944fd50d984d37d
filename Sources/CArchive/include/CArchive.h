#pragma once
#include <archive.h>
#include <archive_entry.h>

#include "ChunkDeflate.h"
#include "FastInflate.h"
#include "TarReading.h"
#include "ZipSeam.h"
