/* Text inside XML attributes. */
#ifndef EW_IO_XML_TEXT_H
#define EW_IO_XML_TEXT_H

/* A copy of `text` with & < > " replaced by entities and control characters by '?'; NULL without memory. The
 * caller frees it. */
char *xml_escape(const char *text);

#endif
