"""Pictures, a document and a recording, each written by hand in a few lines: PNG, JPEG, PDF, WAV."""
import math
import struct
import zlib


def png(width: int, height: int, pixel) -> bytes:
    """A picture of 8-bit RGB; `pixel(x, y)` gives three numbers."""
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in pixel(x, y)) for y in range(height))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def wav(rate: int, samples: list[int]) -> bytes:
    """A recording of one channel, 8 bits a sample."""
    body = bytes(samples)
    form = struct.pack("<HHIIHH", 1, 1, rate, rate, 1, 8)
    chunks = b"fmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)
    return b"RIFF" + struct.pack("<I", 4 + len(chunks)) + b"WAVE" + chunks


def pdf(title: str, lines: list[str]) -> bytes:
    """One A4 page of text in Helvetica."""
    def literal(text: str) -> bytes:
        return b"(" + text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"

    text = b"BT /F1 20 Tf 60 780 Td " + literal(title) + b" Tj /F1 11 Tf 0 -14 Td 16 TL "
    text += b" ".join(b"T* " + literal(line) + b" Tj" for line in lines) + b" ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Title %s /Author (Mira Okafor) >>" % literal(title),
    ]
    out, offsets = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info 6 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table) + trailer


# JPEG: baseline, greyscale, with the tables of ITU-T T.81, Annex K.
ZIGZAG = [0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56,
          57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63]
QUANTA = [16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62, 18, 22,
          37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99]
DC = (bytes([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]), bytes(range(12)))
AC = (bytes([0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D]), bytes.fromhex(
    "0102030004110512213141061351610722711432 8191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a"
    "434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aa"
    "b2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa"))
COSINES = [[math.cos((2 * x + 1) * u * math.pi / 16) * (math.sqrt(0.125) if u == 0 else 0.5) for x in range(8)] for u in range(8)]


def codes(table: tuple[bytes, bytes]) -> dict[int, tuple[int, int]]:
    """The Huffman code and its length for each symbol."""
    result, code, symbols = {}, 0, iter(table[1])
    for length, count in enumerate(table[0], 1):
        for _ in range(count):
            result[next(symbols)] = (code, length)
            code += 1
        code <<= 1
    return result


def coefficients(block: list[list[float]]) -> list[int]:
    """A block of 8 by 8 after the cosine transform, quantized, in zigzag order."""
    rows = [[sum(row[x] * COSINES[u][x] for x in range(8)) for u in range(8)] for row in block]
    flat = [sum(rows[y][u] * COSINES[v][y] for y in range(8)) for v in range(8) for u in range(8)]
    return [round(flat[i] / QUANTA[i]) for i in ZIGZAG]


def jpeg(width: int, height: int, grey) -> bytes:
    """A picture in grey; width and height are multiples of 8; `grey(x, y)` gives 0 to 255."""
    dc, ac, bits = codes(DC), codes(AC), []

    def put(code: int, length: int) -> None:
        bits.extend(code >> i & 1 for i in reversed(range(length)))

    def put_number(value: int, size: int) -> None:
        put(value if value > 0 else value + (1 << size) - 1, size)

    previous = 0
    for top in range(0, height, 8):
        for left in range(0, width, 8):
            block = coefficients([[grey(left + x, top + y) - 128 for x in range(8)] for y in range(8)])
            size = abs(block[0] - previous).bit_length()
            put(*dc[size])
            put_number(block[0] - previous, size)
            previous, run = block[0], 0
            for value in block[1:max((i for i in range(64) if block[i]), default=0) + 1]:
                if value == 0:
                    run += 1
                    continue
                for _ in range(run // 16):
                    put(*ac[0xF0])
                size = abs(value).bit_length()
                put(*ac[run % 16 << 4 | size])
                put_number(value, size)
                run = 0
            if not block[63]:
                put(*ac[0])
    bits.extend([1] * (-len(bits) % 8))
    scan = bytes(int("".join(map(str, bits[i:i + 8])), 2) for i in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")

    def segment(marker: int, body: bytes) -> bytes:
        return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body

    return b"".join([
        b"\xff\xd8", segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"), segment(0xDB, b"\0" + bytes(QUANTA[i] for i in ZIGZAG)),
        segment(0xC0, struct.pack(">BHHBBBB", 8, height, width, 1, 1, 0x11, 0)), segment(0xC4, b"\0" + DC[0] + DC[1]),
        segment(0xC4, b"\x10" + AC[0] + AC[1]), segment(0xDA, b"\x01\x01\0\0\x3f\0"), scan, b"\xff\xd9"])
