/// Which suffixes stand for which media type: `type flags suffixes…`, a type a line, IANA's name where it has one.
///
/// Flags: `-` none · `c` packed already, so that packing it again gains little · `t` text, or may be · and the container that the format
/// is built on, so that the container's signature says nothing against the suffix: `z` ZIP, `o` OLE, `f` ISO base media, `h` HEIF, `m`
/// Matroska, `g` Ogg, `i` TIFF, `j` JPEG 2000, `y` gzip, `x` bzip2, `v` xz, `w` Zstandard, `a` ASF, `e` MPEG streams, `l` ELF and Mach-O,
/// `k` SQLite, `p` binary property list, `u` MPEG audio, `b` PostScript and PDF.
let mediaTypeTable: StaticString = """
  application/atom+xml t atom
  application/cbor - cbor
  application/dicom - dcm dicom
  application/epub+zip cz epub
  application/fits t fits fit fts
  application/geo+json t geojson
  application/geopackage+sqlite3 k gpkg
  application/gml+xml t gml
  application/gpx+xml t gpx
  application/gzip cy gz
  application/java-archive cz jar war ear
  application/java-vm - class
  application/json t json map ipynb har topojson avsc
  application/json5 t json5
  application/jsonl t jsonl ndjson
  application/ld+json t jsonld
  application/manifest+json t webmanifest
  application/mathematica t nb ma
  application/mathml+xml t mathml mml
  application/mbox t mbox
  application/msaccess - mdb accdb
  application/msword ot doc dot
  application/mxf - mxf
  application/n-quads t nq
  application/n-triples t nt
  application/octet-stream - bin dump img
  application/oebps-package+xml t opf
  application/ogg cg ogx
  application/onenote - one onetoc onetoc2
  application/owl+xml t owl
  application/oxps cz oxps
  application/pdf cb pdf
  application/pgp-encrypted ct pgp gpg
  application/pgp-keys t asc
  application/pgp-signature t sig
  application/pkcs10 t p10 csr
  application/pkcs12 - p12 pfx
  application/pkcs7-mime - p7m p7c
  application/pkcs7-signature - p7s
  application/pkix-cert t cer
  application/pkix-crl - crl
  application/postscript tb ps eps ai
  application/rdf+xml t rdf
  application/rss+xml t rss
  application/rtf t rtf
  application/schema+json t schema
  application/sdp t sdp
  application/smil+xml t smi smil
  application/sql t sql
  application/toml t toml
  application/vnd.amazon.ebook - azw
  application/vnd.android.package-archive cz apk
  application/vnd.apache.arrow.file - arrow
  application/vnd.apache.arrow.stream - arrows
  application/vnd.apache.parquet c parquet
  application/vnd.apple.installer+xml ct mpkg
  application/vnd.apple.keynote cz key
  application/vnd.apple.mpegurl t m3u8
  application/vnd.apple.numbers cz numbers
  application/vnd.apple.pages cz pages
  application/vnd.apple.pkpass cz pkpass
  application/vnd.comicbook+zip cz cbz
  application/vnd.comicbook-rar c cbr
  application/vnd.dart t dart
  application/vnd.debian.binary-package c deb udeb
  application/vnd.flatpak c flatpak
  application/vnd.garmin.tcx+xml t tcx
  application/vnd.google-earth.kml+xml t kml
  application/vnd.google-earth.kmz cz kmz
  application/vnd.iccprofile - icc icm
  application/vnd.mapbox-vector-tile - mvt
  application/vnd.ms-cab-compressed c cab
  application/vnd.ms-excel ot xls xlt xla xlm xlc xlw
  application/vnd.ms-excel.addin.macroenabled.12 cz xlam
  application/vnd.ms-excel.sheet.binary.macroenabled.12 cz xlsb
  application/vnd.ms-excel.sheet.macroenabled.12 cz xlsm
  application/vnd.ms-excel.template.macroenabled.12 cz xltm
  application/vnd.ms-fontobject - eot
  application/vnd.ms-htmlhelp - chm
  application/vnd.ms-officetheme cz thmx
  application/vnd.ms-outlook o msg
  application/vnd.ms-outlook-pst - pst ost
  application/vnd.ms-powerpoint o ppt pps pot ppa
  application/vnd.ms-powerpoint.addin.macroenabled.12 cz ppam
  application/vnd.ms-powerpoint.presentation.macroenabled.12 cz pptm
  application/vnd.ms-powerpoint.slideshow.macroenabled.12 cz ppsm
  application/vnd.ms-powerpoint.template.macroenabled.12 cz potm
  application/vnd.ms-project o mpp mpt
  application/vnd.ms-word.document.macroenabled.12 cz docm
  application/vnd.ms-word.template.macroenabled.12 cz dotm
  application/vnd.ms-works o wps wks wcm wdb
  application/vnd.ms-xpsdocument cz xps
  application/vnd.oasis.opendocument.base cz odb
  application/vnd.oasis.opendocument.chart cz odc
  application/vnd.oasis.opendocument.formula cz odf
  application/vnd.oasis.opendocument.graphics cz odg
  application/vnd.oasis.opendocument.graphics-template cz otg
  application/vnd.oasis.opendocument.image cz odi
  application/vnd.oasis.opendocument.presentation cz odp
  application/vnd.oasis.opendocument.presentation-template cz otp
  application/vnd.oasis.opendocument.spreadsheet cz ods
  application/vnd.oasis.opendocument.spreadsheet-template cz ots
  application/vnd.oasis.opendocument.text cz odt
  application/vnd.oasis.opendocument.text-master cz odm
  application/vnd.oasis.opendocument.text-template cz ott
  application/vnd.oasis.opendocument.text-web cz oth
  application/vnd.openstreetmap.data+xml t osm
  application/vnd.openxmlformats-officedocument.presentationml.presentation cz pptx
  application/vnd.openxmlformats-officedocument.presentationml.slide cz sldx
  application/vnd.openxmlformats-officedocument.presentationml.slideshow cz ppsx
  application/vnd.openxmlformats-officedocument.presentationml.template cz potx
  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet cz xlsx
  application/vnd.openxmlformats-officedocument.spreadsheetml.template cz xltx
  application/vnd.openxmlformats-officedocument.wordprocessingml.document cz docx
  application/vnd.openxmlformats-officedocument.wordprocessingml.template cz dotx
  application/vnd.palm - pdb prc
  application/vnd.rar c rar
  application/vnd.rn-realmedia c rm
  application/vnd.sketchup.skp - skp
  application/vnd.sqlite3 k sqlite sqlite3 db3
  application/vnd.sun.xml.calc cz sxc
  application/vnd.sun.xml.draw cz sxd
  application/vnd.sun.xml.impress cz sxi
  application/vnd.sun.xml.writer cz sxw
  application/vnd.tcpdump.pcap - pcap cap dmp
  application/vnd.visio o vsd vst vss vsw
  application/vnd.ms-visio.drawing cz vsdx
  application/vnd.wordperfect - wpd
  application/wasm - wasm
  application/wsdl+xml t wsdl
  application/x-7z-compressed c 7z
  application/x-abiword ct abw
  application/x-apple-diskimage c dmg
  application/x-arj c arj
  application/x-bibtex t bib
  application/x-bittorrent - torrent
  application/x-blender c blend
  application/x-bzip2 cx bz2 bz
  application/x-bzip2-compressed-tar cx tbz tbz2
  application/x-chrome-extension c crx
  application/x-cpio - cpio
  application/x-csh t csh
  application/x-dbf - dbf
  application/x-desktop t desktop
  application/x-executable l elf
  application/x-font-pcf - pcf
  application/x-font-type1 t pfa pfb pfm afm
  application/x-gettext-translation - mo
  application/x-gnumeric cty gnumeric
  application/x-gtar-compressed cy tgz taz
  application/x-hdf5 - h5 hdf5
  application/x-httpd-php t php phtml
  application/x-indesign - indd
  application/x-iso9660-image - iso
  application/x-krita cz kra
  application/x-latex t latex
  application/x-lha c lha lzh
  application/x-lz4 c lz4
  application/x-lzip c lz
  application/x-lzma c lzma
  application/x-mach-binary l dylib bundle
  application/x-object l o
  application/x-mobipocket-ebook - mobi azw3
  application/x-ms-shortcut - lnk
  application/x-msdownload - exe dll com
  application/x-msi o msi
  application/x-msmetafile - wmf emf
  application/x-ole-storage o ole
  application/x-perl t pl pm
  application/x-plist tp plist
  application/x-python-code - pyc pyo
  application/x-rpm c rpm
  application/x-ruby t rb
  application/x-sh t sh bash zsh
  application/x-sharedlib l so
  application/x-shockwave-flash c swf
  application/x-snappy-framed c sz
  application/x-sqlite3 k db
  application/x-stuffit c sit sitx
  application/x-subrip t srt
  application/x-tar - tar
  application/x-tcl t tcl
  application/x-tex t tex ltx sty cls
  application/x-texinfo t texinfo texi
  application/x-vmdk - vmdk
  application/x-web-archive p webarchive
  application/x-x509-ca-cert t crt der pem
  application/x-xar c xar pkg
  application/x-xcf - xcf
  application/x-xpinstall cz xpi
  application/x-xz cv xz
  application/x-xz-compressed-tar cv txz
  application/xhtml+xml t xhtml xht
  application/xliff+xml t xlf
  application/xml t xml xsl xsd rng
  application/xml-dtd t dtd
  application/xslt+xml t xslt
  application/yaml t yaml yml
  application/zip cz zip
  application/zstd cw zst
  audio/aac cu aac adts
  audio/ac3 c ac3
  audio/amr c amr
  audio/amr-wb c awb
  audio/ape c ape
  audio/basic - au snd
  audio/dsd - dsf dff
  audio/dts c dts
  audio/flac cg flac
  audio/midi - mid midi kar rmi
  audio/mobile-xmf - mxmf
  audio/mp4 cf m4a m4b m4p m4r
  audio/mpeg cu mp3 mpga mp2 mp1
  audio/mpegurl t m3u
  audio/ogg cg ogg oga opus spx
  audio/vnd.wave - wav
  audio/x-aiff - aif aiff aifc
  audio/x-caf - caf
  audio/x-matroska cm mka
  audio/x-mod - mod xm it s3m
  audio/x-ms-wma ca wma
  audio/x-musepack c mpc
  audio/x-realaudio c ra ram
  audio/x-scpls t pls
  audio/x-tta c tta
  audio/x-wavpack c wv
  chemical/x-cif t cif
  chemical/x-pdb t ent
  chemical/x-xyz t xyz
  font/collection - ttc otc
  font/otf - otf
  font/ttf - ttf
  font/woff c woff
  font/woff2 c woff2
  image/apng c apng
  image/avif ch avif avifs
  image/avcs ch avcs
  image/bmp - bmp dib
  image/cgm - cgm
  image/dpx - dpx
  image/gif c gif
  image/heic ch heic
  image/heic-sequence ch heics
  image/heif ch heif hif
  image/heif-sequence ch heifs
  image/jls c jls
  image/jp2 cj jp2 jpg2
  image/jpeg c jpg jpeg jpe jfif pjpg pjpeg
  image/jpm cj jpm
  image/jpx cj jpx jpf
  image/jxl c jxl
  image/ktx - ktx
  image/ktx2 c ktx2
  image/openraster cz ora
  image/png c png
  image/qoi c qoi
  image/svg+xml t svg
  image/svg+xml-compressed cy svgz
  image/tiff i tif tiff
  image/vnd.adobe.photoshop - psd psb
  image/vnd.djvu c djvu djv
  image/vnd.dwg - dwg
  image/vnd.dxf t dxf
  image/vnd.microsoft.icon - ico
  image/vnd.ms-dds - dds
  image/vnd.ms-photo c wdp jxr hdp
  image/vnd.radiance - hdr
  image/vnd.wap.wbmp - wbmp
  image/vnd.zbrush.pcx - pcx
  image/webp c webp
  image/x-adobe-dng ci dng
  image/x-canon-cr2 ci cr2
  image/x-canon-cr3 c cr3
  image/x-canon-crw c crw
  image/x-cursor - cur
  image/x-exr c exr
  image/x-fuji-raf c raf
  image/x-icns - icns
  image/x-jng c jng
  image/x-mng c mng
  image/x-nikon-nef ci nef nrw
  image/x-olympus-orf ci orf
  image/x-panasonic-rw2 ci rw2
  image/x-pentax-pef ci pef
  image/x-portable-anymap t pnm
  image/x-portable-bitmap t pbm
  image/x-portable-graymap t pgm
  image/x-portable-pixmap t ppm
  image/x-sony-arw ci arw sr2 srf
  image/x-tga - tga
  image/x-xbitmap t xbm
  image/x-xpixmap t xpm
  message/rfc822 t eml mime mht mhtml emlx
  model/3mf cz 3mf
  model/gltf+json t gltf
  model/gltf-binary - glb
  model/iges t igs iges
  model/mesh t msh mesh silo
  model/mtl t mtl
  model/obj t obj
  model/step t step stp p21
  model/stl t stl
  model/u3d - u3d
  model/vnd.collada+xml t dae
  model/vnd.usdz+zip cz usdz
  model/vrml t wrl vrml
  model/x3d+xml t x3d
  text/asciidoc t adoc asciidoc
  text/cache-manifest t appcache manifest
  text/calendar t ics ifb
  text/css t css
  text/csv t csv
  text/html t html htm shtml
  text/javascript t js mjs cjs jsx
  text/markdown t md markdown mkd
  text/n3 t n3
  text/org t org
  text/plain t txt text log conf cfg ini def list in readme nfo diz asm s env properties lrc
  text/prs.fallenstein.rst t rst
  text/richtext t rtx
  text/rust t rs
  text/sgml t sgml sgm
  text/spdx t spdx
  text/tab-separated-values t tsv tab
  text/troff t t tr roff man me ms
  text/turtle t ttl
  text/uri-list t uri uris urls
  text/vcard t vcf vcard
  text/vnd.familysearch.gedcom t ged gedcom
  text/vnd.graphviz t gv
  text/vtt t vtt
  text/x-c t c h
  text/x-c++ t cc cpp cxx hh hpp hxx c++ h++
  text/x-clojure t clj cljs edn
  text/x-cmake t cmake
  text/x-component t htc
  text/x-csharp t cs
  text/x-diff t diff patch
  text/x-elixir t ex exs
  text/x-erlang t erl hrl
  text/x-fortran t f f77 f90 f95 for
  text/x-go t go
  text/x-groovy t groovy gradle
  text/x-haskell t hs lhs
  text/x-java-source t java
  text/x-julia t jl
  text/x-kotlin t kt kts
  text/x-lisp t lisp lsp el scm
  text/x-lua t lua
  text/x-makefile t mk mak
  text/x-objectivec t m mm
  text/x-ocaml t ml mli
  text/x-opml t opml
  text/x-pascal t pas pp p
  text/x-python t py pyi pyw
  text/x-r t r rmd
  text/x-sass t sass
  text/x-scala t scala sc
  text/x-scss t scss less
  text/x-setext t etx
  text/x-ssa t ssa ass
  text/x-swift t swift
  text/x-todo t todo
  text/x-typescript t ts tsx mts cts
  text/x-uuencode t uu
  text/x-vcalendar t vcs
  text/x-vue t vue svelte
  text/x-zig t zig
  video/3gpp cf 3gp 3gpp
  video/3gpp2 cf 3g2
  video/dv c dv dif
  video/h264 c h264 264
  video/h265 c h265 265 hevc
  video/iso.segment cf m4s
  video/matroska cm mkv mks mpv
  video/matroska-3d cm mk3d
  video/mj2 c mj2 mjp2
  video/mp2t ce mts2 m2ts m2t
  video/mp4 cf mp4 mp4v mpg4
  video/mpeg ce mpeg mpg mpe m1v m2v vob
  video/ogg cg ogv ogm
  video/quicktime cf mov qt
  video/vnd.mpegurl t mxu m4u
  video/webm cm webm
  video/x-f4v cf f4v
  video/x-flv c flv
  video/x-m4v cf m4v
  video/x-ms-asf ca asf asx
  video/x-ms-wmv ca wmv
  video/x-msvideo c avi
  """
