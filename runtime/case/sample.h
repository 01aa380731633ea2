/* Values of a case at points and times: numbers, functions, rasters and series alike. Internal to the runtime. */
#ifndef EW_EXEC_SAMPLE_H
#define EW_EXEC_SAMPLE_H

#include "case/case.h"
#include "mesh/mesh.h"

typedef struct exec_sampler exec_sampler;

/* Opens what the value needs (a raster's file). `components` values are given per point; the value must outlive
 * the sampler. Errors: EW_INPUT if the numbers of components differ, with the item's place. */
ew_status exec_sampler_create(const ew_case *c, const case_value *value, int components, exec_sampler **out,
                              ew_error *err);
void exec_sampler_destroy(exec_sampler **s);

/* From now on values outside of the argument's bounds are errors, which name the rule and the boundary. All three must outlive the sampler. */
void exec_sampler_bound(exec_sampler *s, const char *rule, const char *boundary, const dslc_argument *a);

/* The same of a given's values; the message names the scheme. */
void exec_sampler_bound_field(exec_sampler *s, const char *scheme, const dslc_field *f);

/* The point of the next exec_sample is this node, the centre of this face or of this cell: values by the groups and the data of a mesh file
 * need to know. */
void exec_sampler_at(exec_sampler *s, const mesh *m, mesh_place place, int32_t entity);

/* The value at x ([dim]) and t. Errors name the item and the point; a value that is not finite is one. */
ew_status exec_sample(exec_sampler *s, int dim, const double *x, double t, double *out, ew_error *err);

/* Of numbers one after the other: FNV-1a by words. */
#define EXEC_HASH_BEGIN 0xcbf29ce484222325ULL
uint64_t exec_hash_number(uint64_t hash, double value);

/* A number as it is written, shortest where that reads back: "0.005". */
void exec_number_text(double value, char *text, size_t size);
/* What it gave so far in words that tell one value from another: "0.5", or "144 numbers from 0 to 1 (hash ...)". */
void exec_sampler_tell(const exec_sampler *s, char *text, size_t size);

/* Components that the value has where `wanted` are expected: functions give as many as are asked for, and so does a plain 0. */
int exec_value_components(const case_value *v, int wanted);
/* Components that a case gives of a field: of a state at faces that points from L to R those of a vector in space. */
int exec_case_components(const dslc_field *f, int dim);

/* "case.lua:12: " into `text`, or nothing if the place is unknown. */
const char *exec_where(case_where at, char *text, size_t size);

#endif
