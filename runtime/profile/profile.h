/* Profiles: what is known of one device, kept as a text file that people read and edit: what it is, how fast it is at most, and which
 * settings of the schedule were measured to be the fastest, scheme by scheme.
 *
 *   [device]                                    -- what the rest was measured on
 *   name = NVIDIA H200
 *   ...
 *   [roofs]                                     -- what the device reaches at most
 *   triad = 4100.5 GB/s
 *   [scheme shallow_water friction=cell on mesh 2D 3]   -- variants, and the domain: dimensions, faces of a cell (0: they differ)
 *   @text = 9f3c...                             -- lines with @ say how it was measured
 *   faces = store                               -- all others are settings, as --schedule takes them
 *
 * Settings before the first [section] hold for every scheme. The compiler reads the same files (`dslc --profile`), of them the settings.
 *
 * Memory    A profile owns its entries; profile_clear frees them. Reading bounds everything: a hostile file is refused.
 * Units     seconds, 1e9 bytes a second, 1e9 operations a second, microseconds (a launch).
 * Errors    EW_IO for files, EW_INPUT for what they say, with file and line. */
#ifndef EW_PROFILE_PROFILE_H
#define EW_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/path.h"
#include "device/device.h"

enum { PROFILE_SETTINGS = 64, PROFILE_WORD = 64, PROFILE_LINE = 512, PROFILE_ENTRIES = 256 };

typedef struct profile_setting {
  char name[PROFILE_WORD], value[PROFILE_WORD];
} profile_setting;

/* What a scheme was measured on; an entry holds for the same scheme text, variants and kind of domain. */
typedef struct profile_subject {
  char scheme[PROFILE_WORD];
  char variants[160]; /* "friction=cell a=b", "" if there are none */
  char domain[32];    /* "mesh 2D 3", "grid 2D" */
  char text[33];      /* hash of the scheme's text and imports */
  char with
      [PROFILE_LINE]; /* settings of the case's own, which were measured upon: "items=each T.store=float", "" if there are none */
  int64_t cells;
} profile_subject;

typedef struct profile_measure {
  double default_seconds, best_seconds; /* of a step, medians; 0: not known */
  double gain;                          /* times as fast as the default, measured in turn; 0: not known */
  int candidates;                       /* measured */
  uint32_t units;                       /* compute units that the device had; 0: not known */
  double seconds;                       /* that tuning took */
  char date[32], driver[128], version[32];
} profile_measure;

typedef struct device_profile_entry {
  profile_subject of;
  profile_measure how;
  int n;
  profile_setting set[PROFILE_SETTINGS];
} device_profile_entry;

typedef struct profile_device {
  char name[128], platform[128], driver[128], kind[16]; /* kind: "cpu", "gpu", "host" */
  uint32_t units;
  uint64_t local_bytes, memory_bytes;
} profile_device;

typedef struct device_profile {
  profile_device device; /* name "": for any device of the kind */
  dev_rates roofs;       /* triad 0: never measured */
  char probed[32];       /* date */
  int n_general;         /* settings for all schemes */
  profile_setting general[PROFILE_SETTINGS];
  int n_entries;
  device_profile_entry *entry;
} device_profile;

void profile_clear(device_profile *p);

/* ---- files ---------------------------------------------------------------------------------------------------------- */

/* Of one that cannot be read, `out` says of which device it is, as far as that stands above what is wrong, and nothing else. */
ew_status profile_read(const char *path, device_profile *out, ew_error *err);
/* Atomically. */
ew_status profile_write(const device_profile *p, const char *path, ew_error *err);

/* ---- what is in them ---------------------------------------------------------------------------------------------------- */

profile_device profile_device_of(const dev_info *info);

/* Of its domain: 1 to 3. */
int profile_dims(const profile_subject *subject);

/* One more of the case's own settings; what does not fit is left out. */
void profile_add_own(profile_subject *subject, const char *name, const char *value);
/* In any order. */
bool profile_same_own(const profile_subject *a, const profile_subject *b);

/* The entry of the very subject but for its size, of several one that may be used (profile_refusal) before others, then the one nearest in
 * size; where there is none that was measured upon the same settings of the case's own, or none of them may be used, one that was measured
 * upon none. NULL if there is none. */
const device_profile_entry *profile_find(const device_profile *p, const profile_subject *subject,
                                         const dev_info *info);
/* The one that profile_put would replace, or NULL. */
const device_profile_entry *profile_rival(const device_profile *p, const profile_subject *subject);
/* Replaces the entry of the same subject, within a factor 2 of its size, or adds one. EW_INPUT: too many. */
ew_status profile_put(device_profile *p, const device_profile_entry *entry, ew_error *err);
/* Takes over what `from` knows and `into` does not, or knows from a later date; settings for all schemes have no date, and those of `into`
 * stay. `taken`: how many entries. EW_INPUT if they are of two devices, or too many. */
ew_status profile_merge(device_profile *into, const device_profile *from, int *taken, ew_error *err);

/* Why an entry must not be used for this subject, on this device; "" if it may. */
void profile_refusal(const device_profile *p, const device_profile_entry *e, const profile_subject *subject,
                     const dev_info *info, char *text, size_t size);

/* ---- the places where they lie -------------------------------------------------------------------------------------------- */

/* How closely a profile's device is this one. One that names no platform is of all devices of its kind; one that names another platform
 * is foreign: what is the fastest with one compiler may be the slowest with another. */
typedef enum profile_fit {
  PROFILE_FOREIGN,
  PROFILE_SAME_KIND,
  PROFILE_SAME_PLATFORM,
  PROFILE_SAME_DEVICE
} profile_fit;
profile_fit profile_fits(const device_profile *p, const dev_info *info);

/* The user's folder of profiles: $EDGEWISE_DATA_DIR, $XDG_DATA_HOME/edgewise or ~/.local/share/edgewise, and "/profiles". False if none of
 * them is set or the path does not fit. */
bool profile_folder(char *path, size_t size);
/* The user's file for a device: its name and its platform's in small letters. */
bool profile_path(const dev_info *info, char *path, size_t size);

/* The user's files that serve a device, in the order in which they are asked: that of profile_path, into which probe, tune and import write,
 * then all others in the folder that are of this device, by name. The first also where it cannot be read. */
enum { PROFILE_FILES = 16 };
typedef struct profile_files {
  int n;
  char path[PROFILE_FILES][EW_PATH];
} profile_files;
void profile_list(const dev_info *info, profile_files *out);

/* The profile that knows the subject on a device: the user's, in that order, before the shipped ones, the device's own before those of its
 * platform and of its kind; and what the first of them that says anything for all schemes says. False if none does; `why` then says which knew the
 * subject but must not be used, or "". */
typedef struct profile_found {
  device_profile_entry entry;
  bool as_measured; /* the entry: upon the very settings of the case's own */
  int n_general;
  profile_setting general[PROFILE_SETTINGS];
  char general_path[EW_PATH]; /* of the file that says them */
  char device[128];           /* that the profile is of, where it is another one of the platform; else "" */
  char path[EW_PATH];         /* of the profile's file */
  char why[EW_PATH + 256];
} profile_found;
bool profile_look_up(const dev_info *info, const profile_subject *subject, profile_found *out);
/* The same of the file of that path, wherever it lies; *found also where it says something for all schemes alone. What does not say of which
 * kind of device it is, is for any. EW_IO, EW_INPUT: it cannot be read. */
ew_status profile_look_into(const char *path, const dev_info *info, const profile_subject *subject,
                            profile_found *out, bool *found, ew_error *err);
/* Which file in those places cannot be read, and why, of several the first, and how many; "" if all can be. One that is readable so far that
 * it is of another kind of device or platform does not count. */
void profile_unread(const dev_info *info, char *text, size_t size);
/* All entries of profiles that may hold for a device, the nearest profile first, until `visit` says true. */
typedef bool profile_entry_visitor(void *data, const device_profile_entry *e);
void profile_visit_entries(const dev_info *info, profile_entry_visitor *visit, void *data);
/* Does any profile know a scheme of this name, or say anything for all? Cheap: for those who have to compile before they know the subject. */
bool profile_knows(const dev_info *info, const char *scheme);

#endif
