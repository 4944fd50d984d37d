import java.io.FileInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Reads a ZIP from front to back, as one does from a network: every entry's bytes, checked against their CRC. */
public class ZipStream {
    public static void main(String[] arguments) throws Exception {
        long count = 0;
        long bytes = 0;
        byte[] buffer = new byte[1 << 16];
        try (ZipInputStream stream = new ZipInputStream(new FileInputStream(arguments[0]))) {
            for (ZipEntry entry; (entry = stream.getNextEntry()) != null; count++) {
                for (int read; (read = stream.read(buffer)) > 0; ) {
                    bytes += read;
                }
                stream.closeEntry();
            }
        }
        System.out.println(count + " entries, " + bytes + " bytes");
    }
}
