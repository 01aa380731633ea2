/* The grammar of docs/language.md. LALR(1) without conflicts; a line break is a blank, so nothing may
 * begin with `(`, `[`, `-` or a number but formulas. */
%code requires {
#include "front/parse_state.h"
}

%define api.pure full
%define api.prefix {dsl_}
%define api.token.prefix {TOK_}
%define api.location.type {span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param { parse_state *ps }

%code {
static int dsl_lex(DSL_STYPE *value, DSL_LTYPE *at, parse_state *ps);
static void dsl_error(const DSL_LTYPE *at, parse_state *ps, const char *message);

#define MEMORY ps->memory
#define YYLLOC_DEFAULT(here, parts, n)                                                                       \
  do {                                                                                                       \
    if (n) (here) = (span){YYRHSLOC(parts, 1).file, YYRHSLOC(parts, 1).start, YYRHSLOC(parts, n).end};       \
    else (here) = (span){YYRHSLOC(parts, 0).file, YYRHSLOC(parts, 0).end, YYRHSLOC(parts, 0).end};           \
  } while (0)

/* An empty growing list in the arena, with its first element. */
#define LIST_OF(list, type, first)                                                                           \
  do {                                                                                                       \
    (list) = arena_new(MEMORY, type);                                                                        \
    vec_push(MEMORY, (list), (first));                                                                       \
  } while (0)
#define TAKE(owner, count, array, list)                                                                      \
  do {                                                                                                       \
    (owner)->count = (list)->n;                                                                              \
    (owner)->array = (list)->at;                                                                             \
  } while (0)
#define RECOVER(list)                                                                                        \
  do {                                                                                                       \
    yyclearin;                                                                                               \
    yyerrok;                                                                                                 \
    if (!recover(ps, list)) YYABORT;                                                                         \
  } while (0)
}

%union {
  name text;
  double number;
  bool flag;
  ast_op op;
  ast_expr *expr;
  ast_unit *unit;
  ast_type *type;
  ast_binder *binder;
  ast_head *head;
  ast_body body;
  ast_binding *binding;
  ast_param *param;
  ast_bound *bound;
  ast_result *result;
  ast_rule *rule;
  ast_assign *assign;
  ast_rate *rate;
  ast_option *option;
  ast_stmt *stmt;
  ast_decl *decl;
  ast_scheme *scheme;
  swap *swap;
  name_list *names;
  expr_list *exprs;
  binding_list *bindings;
  param_list *params;
  result_list *results;
  rule_list *rules;
  assign_list *assigns;
  rate_list *rates;
  option_list *options;
  stmt_list *stmts;
  decl_list *decls;
  swap_list *swaps;
}

%token YYEOF 0 "the end of the file"
%token <text> NAME "a name" REDUCE "a reduction" QUOTED "a name in quotes"
%token <number> INT "a whole number" NUMBER "a number"
%token IMPORT "import" SCHEME "scheme" ON "on" EXTENDS "extends" REPLACE "replace"
%token PARAMETER "parameter" VARIANT "variant" STATE "state" GIVEN "given"
%token FN "fn" FLUX "flux" MATRIX "matrix" SYMMETRIC "symmetric" BOUNDARY "boundary" ACROSS "across"
%token EXCHANGE "exchange" REQUIRE "require" STEP "step" LET "let" TO "to" GHOST "ghost" FIX "fix" ADD "add"
%token UPDATE "update" INTEGRATE "integrate" SOLVE "solve" REPEAT "repeat" UNTIL "until" AT "at" LIMIT "at most" MOST "most"
%token BY "by" OVER "over" IF "if" THEN "then" ELSE "else" AND "and" OR "or" NOT "not"
%token NEAR "near" OF "of" IN "in"
%token WHERE "where" REAL "real"
%token LPAREN "(" RPAREN ")" LBRACKET "[" RBRACKET "]" LBRACE "{" RBRACE "}"
%token COMMA "," DOT "." DOTDOT ".." COLON ":" PLACE "@" BAR "|" PRIME "'" SWAP "<->" ARROW "->" ASSIGN "="
%token LT "<" GT ">" LE "<=" GE ">=" EQ "==" NE "!=" PLUS "+" MINUS "-" STAR "*" SLASH "/" CARET "^"

%precedence ELSE
%left OR
%left AND
%precedence NOT
%nonassoc LT GT LE GE EQ NE
%left PLUS MINUS
%precedence REDUCTION
%left STAR SLASH
%precedence NEGATION
%right CARET

%type <text> dotted type_word
%type <number> sign
%type <flag> symmetric over_time
%type <bound> bounds_opt bound
%type <expr> limit limit_value expr primary postfix index limit_opt
%type <exprs> exprs indices
%type <unit> unit unit_opt unit_product unit_power unit_atom
%type <type> type type_opt
%type <binder> binder
%type <head> head target
%type <names> names letters_opt formals_opt choices axis_opt
%type <body> body
%type <binding> binding
%type <bindings> bindings
%type <param> param param_parts
%type <params> params params_opt
%type <result> result
%type <results> results
%type <rule> rule plain_rule
%type <rules> rules
%type <assign> assign
%type <assigns> assigns
%type <rate> rate
%type <rates> rates rates_in_braces
%type <option> option
%type <options> options options_opt
%type <stmt> stmt choice
%type <stmts> stmts
%type <decl> decl plain_decl function equation
%type <decls> decls
%type <scheme> scheme scheme_head
%type <swap> swap
%type <swaps> swaps

%start file

%%

/* ---- file ---------------------------------------------------------------------------------------------- */

file: items
items
  : %empty
  | items IMPORT NAME { file_add_import(ps, $3, @3, NULL); }
  | items IMPORT names OF NAME { file_add_import(ps, $5, @5, $3); }
  | items scheme { file_add_scheme(ps, $2); }
  | items function { vec_push(MEMORY, &ps->functions, $2); }
  | items error { RECOVER(LIST_FILE); }

scheme
  : scheme_head "{" decls "}" { $$ = $1; $$->at = @$; TAKE($$, n_decls, decls, $3); }
scheme_head
  : "scheme" NAME "on" NAME "(" INT ")" {
      $$ = build_scheme(ps, @$, $2, @2, $4, @4);
      scheme_set_dimension(ps, $$, @6, NULL, $6);
    }
  | "scheme" NAME "on" NAME "(" NAME ")" {
      $$ = build_scheme(ps, @$, $2, @2, $4, @4);
      scheme_set_dimension(ps, $$, @6, $6, 0);
    }
  | "scheme" NAME "extends" NAME { $$ = build_extension(ps, @$, $2, @2, $4, @4); }

/* ---- declarations -------------------------------------------------------------------------------------- */

decls
  : %empty { $$ = arena_new(MEMORY, decl_list); }
  | decls decl { $$ = $1; vec_push(MEMORY, $$, $2); }
  | decls error { $$ = $1; RECOVER(LIST_DECLS); }

decl
  : plain_decl
  | "replace" plain_decl { $$ = $2; $$->at = @$; $$->mode = AST_REPLACES; }
  | "add" "boundary" names params_opt axis_opt "{" rules "}" {
      $$ = build_decl(ps, AST_BOUNDARY, @$, $3->names.at[0], $3->at.at[0]);
      decl_set_names($$, $3);
      decl_set_rules($$, $4, $5, $7);
      $$->mode = AST_ADDS;
    }
plain_decl
  : "parameter" params {
      $$ = build_decl(ps, AST_PARAMETER, @$, $2->at[0].text, $2->at[0].at);
      TAKE($$, n_params, params, $2);
    }
  | "variant" NAME "=" choices {
      $$ = build_decl(ps, AST_VARIANT, @$, $2, @2);
      $$->part.variant.n = $4->names.n;
      $$->part.variant.choice = $4->names.at;
      $$->part.variant.at = $4->at.at;
    }
  | "state" names type_opt "@" NAME unit_opt {
      $$ = build_decl(ps, AST_STATE, @$, $2->names.at[0], $2->at.at[0]);
      decl_set_names($$, $2);
      $$->type = $3; $$->place = $5; $$->place_at = @5; $$->unit = $6;
    }
  | "state" "flux" names type_opt "@" NAME unit_opt {
      $$ = build_decl(ps, AST_STATE, @$, $3->names.at[0], $3->at.at[0]);
      decl_set_names($$, $3);
      $$->type = $4; $$->place = $6; $$->place_at = @6; $$->unit = $7; $$->is_flux = true;
    }
  | "state" names unit { /* one value; a name alone would be a forgotten place */
      $$ = build_decl(ps, AST_STATE, @$, $2->names.at[0], $2->at.at[0]);
      decl_set_names($$, $2);
      $$->unit = $3;
    }
  | "state" names ":" type unit_opt {
      $$ = build_decl(ps, AST_STATE, @$, $2->names.at[0], $2->at.at[0]);
      decl_set_names($$, $2);
      $$->type = $4; $$->unit = $5;
    }
  | "given" names type_opt "@" NAME unit_opt bounds_opt over_time {
      $$ = build_decl(ps, AST_GIVEN, @$, $2->names.at[0], $2->at.at[0]);
      decl_set_names($$, $2);
      $$->type = $3; $$->place = $5; $$->place_at = @5; $$->unit = $6; $$->bound = $7; $$->over_time = $8;
    }
  | function
  | equation { $$ = $1; $$->at = @$; }
  | "flux" equation { $$ = $2; $$->at = @$; $$->is_flux = true; }
  | head "=" body {
      $$ = build_decl(ps, AST_GLOBAL, @$, $1->text, $1->at);
      $$->head = *$1; $$->body = $3;
    }
  | "matrix" NAME symmetric "@" NAME unit_opt "{" assigns "}" {
      $$ = build_decl(ps, AST_MATRIX, @$, $2, @2);
      $$->part.matrix.symmetric = $3; $$->place = $5; $$->place_at = @5; $$->unit = $6;
      TAKE($$, part.matrix.n_assign, part.matrix.assign, $8);
    }
  | "boundary" NAME params_opt axis_opt "{" rules "}" {
      $$ = build_decl(ps, AST_BOUNDARY, @$, $2, @2);
      decl_set_rules($$, $3, $4, $6);
    }
  | "exchange" swaps "{" decls "}" {
      $$ = build_decl(ps, AST_EXCHANGE, @$, NULL, @1);
      decl_set_swaps(ps, $$, $2);
      TAKE($$, part.exchange.n_decls, part.exchange.decls, $4);
    }
  | "require" expr {
      $$ = build_decl(ps, AST_REQUIRE, @$, NULL, @1);
      $$->body.expr = $2;
    }
  | "step" "{" stmts "}" {
      $$ = build_decl(ps, AST_STEP, @$, NULL, @1);
      TAKE($$, part.step.n, part.step.stmt, $3);
    }

function
  : "fn" NAME "(" names ")" "=" body {
      $$ = build_decl(ps, AST_FUNCTION, @$, $2, @2);
      $$->head = *build_head(ps, @2, $2, $4, NULL);
      $$->body = $7;
    }

equation
  : head type_opt "@" NAME unit_opt "=" body {
      $$ = build_decl(ps, AST_EQUATION, @$, $1->text, $1->at);
      $$->head = *$1; $$->type = $2; $$->place = $4; $$->place_at = @4; $$->unit = $5; $$->body = $7;
    }
  | head type_opt "@" NAME unit_opt "{" results "}" {
      $$ = build_decl(ps, AST_EQUATION, @$, $1->text, $1->at);
      $$->head = *$1; $$->type = $2; $$->place = $4; $$->place_at = @4; $$->unit = $5;
      TAKE($$, part.block.n, part.block.result, $7);
    }

params
  : param { LIST_OF($$, param_list, *$1); }
  | params "," param { $$ = $1; vec_push(MEMORY, $$, *$3); }
params_opt
  : %empty { $$ = NULL; }
  | "(" params ")" { $$ = $2; }
param
  : param_parts bounds_opt over_time { $$ = $1; $$->bound = $2; $$->over_time = $3; }
  | param_parts bounds_opt "=" expr over_time { $$ = $1; $$->bound = $2; $$->value = $4; $$->over_time = $5; }
param_parts
  : NAME { $$ = arena_new(MEMORY, ast_param); $$->text = $1; $$->at = @1; }
  | param_parts ":" type {
      $$ = $1;
      if ($$->type) report_repeated_part(ps, @3, "type");
      $$->type = $3;
    }
  | param_parts unit {
      $$ = $1;
      if ($$->unit) report_repeated_part(ps, @2, "unit");
      $$->unit = $2;
    }
bounds_opt
  : %empty { $$ = NULL; }
  | bound
  | bound "and" bound { $$ = $1; $$->next = $3; }
bound
  : ">=" limit { $$ = build_bound(ps, AST_GE, $2); }
  | ">" limit { $$ = build_bound(ps, AST_GT, $2); }
  | "<=" limit { $$ = build_bound(ps, AST_LE, $2); }
  | "<" limit { $$ = build_bound(ps, AST_LT, $2); }
limit
  : limit_value
  | "-" limit_value { $$ = build_unary(ps, @$, AST_NEG, $2); }
limit_value
  : INT unit_opt { $$ = build_number(ps, @$, $1, $2); }
  | NUMBER unit_opt { $$ = build_number(ps, @$, $1, $2); }
  | NAME { $$ = build_name(ps, @$, $1); }
over_time
  : %empty { $$ = false; }
  | "over" NAME { $$ = true; check_over_time(ps, @2, $2); }

choices
  : NAME { $$ = list_of_name(ps, NULL, $1, @1); }
  | choices "|" NAME { $$ = list_of_name(ps, $1, $3, @3); }
names
  : NAME { $$ = list_of_name(ps, NULL, $1, @1); }
  | names "," NAME { $$ = list_of_name(ps, $1, $3, @3); }
symmetric
  : %empty { $$ = false; }
  | "symmetric" { $$ = true; }
axis_opt
  : %empty { $$ = NULL; }
  | "across" NAME { $$ = list_of_name(ps, NULL, $2, @2); }
swaps
  : swap { LIST_OF($$, swap_list, *$1); }
  | swaps "," swap { $$ = $1; vec_push(MEMORY, $$, *$3); }
swap
  : NAME "<->" NAME {
      $$ = arena_new(MEMORY, swap);
      *$$ = (swap){{$1, $3, NULL}, {@1, @3, @3}};
    }
  | NAME "->" NAME "->" NAME {
      $$ = arena_new(MEMORY, swap);
      *$$ = (swap){{$1, $3, $5}, {@1, @3, @5}};
    }

type_opt
  : %empty { $$ = NULL; }
  | ":" type { $$ = $2; }
type
  : type_word { $$ = build_type(ps, @$, $1); }
  | "real" "[" INT "]" { $$ = build_real_n(ps, @$, $3); }
type_word: NAME

/* ---- left sides, bodies, parts ------------------------------------------------------------------------- */

dotted
  : NAME
  | dotted "." NAME { $$ = dotted(ps, $1, $3); }
head
  : dotted formals_opt letters_opt { $$ = build_head(ps, @$, $1, $2, $3); }
target
  : dotted letters_opt { $$ = build_head(ps, @$, $1, NULL, $2); }
formals_opt
  : %empty { $$ = NULL; }
  | "(" names ")" { $$ = $2; }
letters_opt
  : %empty { $$ = NULL; }
  | "[" names "]" { $$ = $2; }

body
  : expr { $$ = (ast_body){.expr = $1}; }
  | expr "where" bindings { $$ = (ast_body){.expr = $1, .n_where = $3->n, .where = $3->at}; }
bindings
  : binding { LIST_OF($$, binding_list, *$1); }
  | bindings "," binding { $$ = $1; vec_push(MEMORY, $$, *$3); }
binding
  : NAME "=" expr { $$ = build_binding(ps, list_of_name(ps, NULL, $1, @1), $3, @$); }
  | NAME unit "=" expr {
      $$ = build_binding(ps, list_of_name(ps, NULL, $1, @1), $4, @$);
      $$->unit = $2;
    }
  | NAME ":" type unit_opt "=" expr {
      $$ = build_binding(ps, list_of_name(ps, NULL, $1, @1), $6, @$);
      $$->type = $3; $$->unit = $4;
    }
  | "(" names ")" "=" expr { $$ = build_binding(ps, $2, $5, @$); }

results
  : %empty { $$ = arena_new(MEMORY, result_list); }
  | results result { $$ = $1; vec_push(MEMORY, $$, *$2); }
  | results error { $$ = $1; RECOVER(LIST_RESULTS); }
result
  : "let" bindings {
      $$ = arena_new(MEMORY, ast_result);
      $$->kind = AST_RESULT_LET; $$->at = @$;
      TAKE($$, n_bindings, bindings, $2);
    }
  | NAME "=" body {
      $$ = arena_new(MEMORY, ast_result);
      $$->kind = AST_RESULT_NAME; $$->text = $1; $$->at = @$; $$->body = $3;
    }
  | "flux" "=" body {
      $$ = arena_new(MEMORY, ast_result);
      $$->kind = AST_RESULT_FLUX; $$->at = @$; $$->body = $3;
    }
  | "to" NAME "=" body {
      $$ = arena_new(MEMORY, ast_result);
      $$->kind = side_of(ps, @2, $2); $$->at = @$; $$->body = $4;
    }

rules
  : %empty { $$ = arena_new(MEMORY, rule_list); }
  | rules rule { $$ = $1; $2->at = @2; vec_push(MEMORY, $$, *$2); }
  | rules error { $$ = $1; RECOVER(LIST_RULES); }
rule
  : plain_rule
  | "replace" plain_rule { $$ = $2; $$->mode = AST_REPLACES; }
plain_rule
  : "ghost" assign { $$ = build_rule(ps, AST_RULE_GHOST, $2); }
  | "fix" assign { $$ = build_rule(ps, AST_RULE_FIX, $2); }
  | "flux" assign { $$ = build_rule(ps, AST_RULE_FLUX, $2); }
  | "add" assign { $$ = build_rule(ps, AST_RULE_ADD, $2); }
  | "let" bindings {
      $$ = arena_new(MEMORY, ast_rule);
      $$->kind = AST_RULE_LET;
      TAKE($$, n_bindings, bindings, $2);
    }

assigns
  : %empty { $$ = arena_new(MEMORY, assign_list); }
  | assigns assign { $$ = $1; vec_push(MEMORY, $$, *$2); }
  | assigns error { $$ = $1; RECOVER(LIST_ASSIGNS); }
assign
  : target "=" body {
      $$ = arena_new(MEMORY, ast_assign);
      *$$ = (ast_assign){*$1, $3, @$, NULL};
    }

/* ---- statements ---------------------------------------------------------------------------------------- */

stmts
  : %empty { $$ = arena_new(MEMORY, stmt_list); }
  | stmts stmt { $$ = $1; $2->at = @2; vec_push(MEMORY, $$, *$2); }
  | stmts error { $$ = $1; RECOVER(LIST_STMTS); }
stmt
  : "update" assign {
      $$ = arena_new(MEMORY, ast_stmt);
      $$->kind = AST_UPDATE; $$->n_assign = 1; $$->assign = $2;
    }
  | "update" "{" assigns "}" {
      $$ = arena_new(MEMORY, ast_stmt);
      $$->kind = AST_UPDATE;
      TAKE($$, n_assign, assign, $3);
    }
  | "integrate" rates "by" NAME "over" expr {
      $$ = arena_new(MEMORY, ast_stmt);
      $$->kind = AST_INTEGRATE; $$->method = $4; $$->method_at = @4; $$->over = $6;
      TAKE($$, n_rates, rate, $2);
    }
  | "integrate" "{" rates_in_braces "}" "by" NAME "over" expr {
      $$ = arena_new(MEMORY, ast_stmt);
      $$->kind = AST_INTEGRATE; $$->method = $6; $$->method_at = @6; $$->over = $8;
      TAKE($$, n_rates, rate, $3);
    }
  | "solve" NAME "*" NAME "=" expr "by" NAME options_opt {
      $$ = arena_new(MEMORY, ast_stmt);
      $$->kind = AST_SOLVE;
      $$->solve.matrix = $2; $$->solve.matrix_at = @2; $$->solve.unknown = $4; $$->solve.unknown_at = @4;
      $$->solve.rhs = $6; $$->method = $8; $$->method_at = @8;
      if ($9) TAKE($$, n_options, option, $9);
    }
  | "repeat" "{" stmts "}" "until" expr limit_opt {
      $$ = arena_new(MEMORY, ast_stmt);
      $$->kind = AST_REPEAT; $$->until = $6; $$->at_most = $7;
      TAKE($$, n_body, body, $3);
    }
  | "repeat" "{" stmts "}" error { /* or the error would be taken for one inside the braces */
      $$ = arena_new(MEMORY, ast_stmt);
      $$->kind = AST_REPEAT; $$->until = $$->at_most = build_error(ps, @4);
      TAKE($$, n_body, body, $3);
      RECOVER(LIST_STMTS);
    }
  | "at" expr "{" stmts "}" {
      $$ = arena_new(MEMORY, ast_stmt);
      $$->kind = AST_AT_TIME; $$->over = $2;
      TAKE($$, n_body, body, $4);
    }
  | choice
  | "step" "of" NAME {
      $$ = arena_new(MEMORY, ast_stmt);
      $$->kind = AST_STEP_OF; $$->base = $3; $$->base_at = @3;
    }
choice
  : "if" expr "{" stmts "}" { $$ = build_choice(ps, $2, $4); }
  | "if" expr "{" stmts "}" "else" "{" stmts "}" {
      $$ = build_choice(ps, $2, $4);
      TAKE($$, n_other, other, $8);
    }
  | "if" expr "{" stmts "}" "else" choice {
      $$ = build_choice(ps, $2, $4);
      $7->at = @7;
      $$->n_other = 1; $$->other = $7;
    }
limit_opt
  : %empty { $$ = NULL; }
  | "at most" "most" expr { $$ = $3; }
rates
  : rate { LIST_OF($$, rate_list, *$1); }
  | rates "," rate { $$ = $1; vec_push(MEMORY, $$, *$3); }
rates_in_braces
  : rate { LIST_OF($$, rate_list, *$1); }
  | rates_in_braces rate { $$ = $1; vec_push(MEMORY, $$, *$2); }
  | rates_in_braces "," rate { $$ = $1; vec_push(MEMORY, $$, *$3); }
rate
  : NAME "'" "=" expr {
      $$ = arena_new(MEMORY, ast_rate);
      *$$ = (ast_rate){$1, @1, $4};
    }
options_opt
  : %empty { $$ = NULL; }
  | "(" options ")" { $$ = $2; }
options
  : option { LIST_OF($$, option_list, *$1); }
  | options "," option { $$ = $1; vec_push(MEMORY, $$, *$3); }
option
  : NAME "=" expr {
      $$ = arena_new(MEMORY, ast_option);
      *$$ = (ast_option){$1, @1, $3};
    }

/* ---- expressions --------------------------------------------------------------------------------------- */

expr
  : primary
  | expr "or" expr { $$ = build_binary(ps, @$, AST_OR, $1, $3); }
  | expr "and" expr { $$ = build_binary(ps, @$, AST_AND, $1, $3); }
  | expr "<" expr { $$ = build_binary(ps, @$, AST_LT, $1, $3); }
  | expr ">" expr { $$ = build_binary(ps, @$, AST_GT, $1, $3); }
  | expr "<=" expr { $$ = build_binary(ps, @$, AST_LE, $1, $3); }
  | expr ">=" expr { $$ = build_binary(ps, @$, AST_GE, $1, $3); }
  | expr "==" expr { $$ = build_binary(ps, @$, AST_EQ, $1, $3); }
  | expr "!=" expr { $$ = build_binary(ps, @$, AST_NE, $1, $3); }
  | expr "+" expr { $$ = build_binary(ps, @$, AST_ADD, $1, $3); }
  | expr "-" expr { $$ = build_binary(ps, @$, AST_SUB, $1, $3); }
  | expr "*" expr { $$ = build_binary(ps, @$, AST_MUL, $1, $3); }
  | expr "/" expr { $$ = build_binary(ps, @$, AST_DIV, $1, $3); }
  | expr "^" expr { $$ = build_binary(ps, @$, AST_POW, $1, $3); }
  | "not" expr { $$ = build_unary(ps, @$, AST_NOT, $2); }
  | "-" expr %prec NEGATION { $$ = build_unary(ps, @$, AST_NEG, $2); }
  | "if" expr "then" expr "else" expr { $$ = build_if(ps, @$, $2, $4, $6); }
  | REDUCE "(" binder ")" expr %prec REDUCTION { $$ = build_reduction(ps, @$, $1, $3, $5); }

primary
  : INT unit_opt { $$ = build_number(ps, @$, $1, $2); }
  | NUMBER unit_opt { $$ = build_number(ps, @$, $1, $2); }
  | QUOTED { $$ = build_quoted(ps, @$, $1); } /* of a part of the mesh: nothing else is scanned so */
  | "(" expr ")" { $$ = $2; }
  | "(" expr "," exprs ")" { $$ = build_list(ps, AST_TUPLE, @$, $2, $4); }
  | postfix
postfix
  : NAME { $$ = build_name(ps, @$, $1); }
  | postfix "." NAME { $$ = build_member(ps, @$, $1, $3, @3); }
  | postfix "." INT { $$ = build_member_number(ps, @$, $1, @3); }
  | postfix "[" indices "]" { $$ = build_list(ps, AST_INDEX, @$, $1, $3); }
  | postfix "(" exprs ")" { $$ = build_list(ps, AST_CALL, @$, $1, $3); }
  | REDUCE "(" exprs ")" { $$ = build_list(ps, AST_CALL, @$, build_name(ps, @1, $1), $3); }

exprs
  : expr { LIST_OF($$, expr_list, $1); }
  | exprs "," expr { $$ = $1; vec_push(MEMORY, $$, $3); }
indices
  : index { LIST_OF($$, expr_list, $1); }
  | indices "," index { $$ = $1; vec_push(MEMORY, $$, $3); }
index
  : expr
  | expr ".." expr { $$ = build_range(ps, @$, $1, $3); }

binder
  : NAME "near" NAME {
      $$ = build_binder(ps, AST_NEAR, @$, $1, @1);
      $$->anchor = $3; $$->anchor_at = @3;
    }
  | NAME "of" NAME {
      $$ = build_binder(ps, AST_OF, @$, $1, @1);
      $$->anchor = $3; $$->anchor_at = @3;
    }
  | NAME "of" NAME "to" NAME {
      $$ = build_binder(ps, AST_OF, @$, $1, @1);
      $$->anchor = $3; $$->anchor_at = @3; $$->other = $5; $$->other_at = @5;
    }
  | NAME "in" expr {
      $$ = build_binder(ps, AST_IN, @$, $1, @1);
      binder_set_domain(ps, $$, $3);
    }
  | NAME "in" expr ".." expr {
      $$ = build_binder(ps, AST_IN_RANGE, @$, $1, @1);
      $$->lo = $3; $$->hi = $5;
    }

/* ---- units --------------------------------------------------------------------------------------------- */

unit_opt
  : %empty { $$ = NULL; }
  | unit
unit
  : "[" unit_product "]" { $$ = $2; $$->at = @$; }
unit_product
  : unit_power
  | unit_product "*" unit_power { $$ = unit_product(ps, $1, $3, 1, @$); }
  | unit_product "/" unit_power { $$ = unit_product(ps, $1, $3, -1, @$); }
unit_power
  : unit_atom
  | unit_atom "^" sign INT { $$ = unit_power(ps, $1, $3*$4, 1, @$); }
  | unit_atom "^" "(" sign INT ")" { $$ = unit_power(ps, $1, $4*$5, 1, @$); }
  | unit_atom "^" "(" sign INT "/" INT ")" { $$ = unit_power(ps, $1, $4*$5, $7, @$); }
unit_atom
  : NAME { $$ = unit_factor(ps, @$, $1); }
  | REDUCE { $$ = unit_factor(ps, @$, $1); } /* `min` is a unit too */
  | INT { $$ = unit_one(ps, @$, $1); }
  | "(" unit_product ")" { $$ = $2; }
sign
  : %empty { $$ = 1; }
  | "-" { $$ = -1; }

%%

/* Feeds the parser from the token list; deep nesting ends an item before it can fill the parser's stack. */
static int dsl_lex(DSL_STYPE *value, DSL_LTYPE *at, parse_state *ps) {
  const token *t = &ps->list->tokens.at[ps->next];
  ps->current = ps->next;
  *at = (span){ps->list->file, t->start, t->end};
  if (ps->close_braces > 0) {
    ps->close_braces--;
    at->end = at->start;
    return TOK_RBRACE;
  }
  if (ps->next + 1 < ps->list->tokens.n) ps->next++;
  if (t->kind == TOK_INT || t->kind == TOK_NUMBER) value->number = t->number;
  else value->text = t->text;
  if (t->kind == TOK_LPAREN || t->kind == TOK_LBRACKET || t->kind == TOK_LBRACE) ps->bracket_depth++;
  if (t->kind == TOK_RPAREN || t->kind == TOK_RBRACKET || t->kind == TOK_RBRACE) ps->bracket_depth--;
  /* `at t + dt {` may stand behind a condition, `at most` belongs to it */
  if (t->kind == TOK_AT && ps->list->tokens.at[ps->next].kind == TOK_MOST) return TOK_LIMIT;
  if (ps->bracket_depth <= AST_MAX_DEPTH) return t->kind;
  report_nesting(ps, *at);
  return TOK_DSL_error;
}

/* Only called when the parser's stack is exhausted. */
static void dsl_error(const DSL_LTYPE *at, parse_state *ps, const char *message) {
  (void)message;
  report_nesting(ps, *at);
}

static int yyreport_syntax_error(const yypcontext_t *context, parse_state *ps) {
  yysymbol_kind_t expected[YYNTOKENS];
  const char *words[YYNTOKENS];
  int n = yypcontext_expected_tokens(context, expected, YYNTOKENS);
  for (int i = 0; i < n; i++) words[i] = yysymbol_name(expected[i]);
  report_syntax_error(ps, words, n > 0 ? n : 0);
  return 0;
}
