/* Text inside XML attributes. */
#ifndef EW_IO_XML_TEXT_H
#define EW_IO_XML_TEXT_H

/* A copy of `text` with & < > " replaced by entities, control characters and what is no UTF-8 by '?'; NULL without memory. The
 * caller frees it. */
char *xml_escape(const char *text);

#endif
