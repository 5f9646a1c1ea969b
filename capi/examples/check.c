/* Decides a model from a text, a model that is built without one, and a Java class.
 *
 * cc -Wall -Wextra -Werror -Icapi/include capi/examples/check.c -o check -Ltarget/release -lasercheck
 */

#include "asercheck.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with the message of an error, if there is one. */
static void stop_at(asercheck_error *error) {
  if (error != NULL) {
    fprintf(stderr, "error: %s\n", asercheck_error_message(error));
    asercheck_error_free(error);
    exit(EXIT_FAILURE);
  }
}

/* Ends the program if something that has to hold does not. */
static void expect(bool holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "not as expected: %s\n", what);
    exit(EXIT_FAILURE);
  }
}

/* Takes an error that has to be there, with this part of its JSON. */
static void expect_error(asercheck_error *error, const char *part) {
  expect(error != NULL && strstr(asercheck_error_json(error), part) != NULL, part);
  asercheck_error_free(error);
}

static void count(size_t done, size_t total, const char *name, void *data) {
  (void)total;
  (void)name;
  size_t *most = data;
  if (done > *most) {
    *most = done;
  }
}

/* A model from a text: a lost update. */
static void from_text(void) {
  asercheck_error *error = NULL;
  asercheck_model *model = asercheck_model_from_text(
      "lock l; shared x; process P * 2 { atomic { sync l { read x; } sync l { write x; } } }", "counter.eml", &error);
  stop_at(error);
  size_t done = 0;
  char *answers = asercheck_check(model, "{\"patterns\": [1], \"timeout\": 10}", NULL, count, &done, &error);
  stop_at(error);
  expect(strstr(answers, "\"violation\"") != NULL && strstr(answers, "\"lost-update\"") != NULL, "a lost update");
  expect(strstr(answers, "\"witness\"") != NULL, "a witness");
  expect(done > 0, "progress");
  printf("%s\n", answers);
  asercheck_string_free(answers);

  /* A run that was cancelled leaves its queries undecided. */
  asercheck_cancellation *cancellation = asercheck_cancellation_new();
  asercheck_cancel(cancellation);
  answers = asercheck_check(model, NULL, cancellation, NULL, NULL, &error);
  stop_at(error);
  expect(strstr(answers, "\"ended\":\"cancelled\"") != NULL, "the end of the run");
  asercheck_string_free(answers);
  asercheck_cancellation_free(cancellation);

  expect(asercheck_check(model, "{\"pattern\": 1}", NULL, NULL, NULL, &error) == NULL, "no answer");
  expect_error(error, "unknown field");
  asercheck_model_free(model);
}

/* The same model without a text. */
static void from_calls(void) {
  asercheck_error *error = NULL;
  asercheck_builder *builder = asercheck_builder_new();
  bool fits = asercheck_builder_declare(builder, "lock", "l", &error) &&
              asercheck_builder_declare(builder, "shared", "x", &error) &&
              asercheck_builder_open_process(builder, "P", 2, &error) &&
              asercheck_builder_open(builder, "atomic", NULL, &error) &&
              asercheck_builder_at(builder, "Counter.java", 11, 5, &error) &&
              asercheck_builder_open(builder, "sync", "l", &error) &&
              asercheck_builder_statement(builder, "read", "x", &error) && /* line 11 */
              asercheck_builder_close(builder, &error) &&
              asercheck_builder_open(builder, "sync", "l", &error) &&
              asercheck_builder_statement(builder, "write", "x", &error) &&
              asercheck_builder_close(builder, &error) &&
              asercheck_builder_close(builder, &error) &&
              asercheck_builder_close(builder, &error);
  stop_at(error);
  expect(fits, "all calls fit");
  expect(!asercheck_builder_close(builder, &error), "no block is open");
  expect_error(error, "\"usage\"");
  asercheck_model *model = asercheck_builder_build(builder, "Counter", &error);
  stop_at(error);
  asercheck_builder_free(builder);
  char *text = asercheck_model_text(model, &error);
  stop_at(error);
  expect(strstr(text, "process P * 2 {") != NULL, "the printed text");
  asercheck_string_free(text);
  char *answers = asercheck_check(model, "{\"patterns\": [1]}", NULL, NULL, NULL, &error);
  stop_at(error);
  expect(strstr(answers, "\"violation\":1") != NULL && strstr(answers, "Counter.java") != NULL, "the same answer");
  asercheck_string_free(answers);
  asercheck_model_free(model);
}

/* Wrong input is an error with a place, or a message. */
static void errors(void) {
  asercheck_error *error = NULL;
  expect(asercheck_model_from_text("process P {\n  read y;\n}", "m.eml", &error) == NULL, "no model");
  expect_error(error, "\"line\":2,\"column\":8");
  expect(asercheck_model_from_text("process P { \xff }", "m.eml", &error) == NULL, "no text");
  expect_error(error, "UTF-8");
  expect(asercheck_model_from_text(NULL, "m.eml", &error) == NULL, "no text");
  expect_error(error, "text is NULL");
  expect(asercheck_check(NULL, NULL, NULL, NULL, NULL, &error) == NULL, "no model");
  expect_error(error, "model is NULL");
  expect(asercheck_audit("{\"paths\": [\"/no/such.jar\"]}", NULL, NULL, NULL, &error) == NULL, "no classes");
  expect_error(error, "\"input\"");
  /* An error that nobody wants is dropped. */
  expect(asercheck_model_from_file("/no/such.eml", NULL) == NULL, "no file");
  asercheck_error_free(NULL);
  asercheck_model_free(NULL);
  asercheck_string_free(NULL);
}

/* A class of the repository. */
static void classes(const char *path) {
  char request[4096];
  snprintf(request, sizeof request, "{\"paths\": [\"%s\"], \"classes\": [\"client.CheckThenAct\"]}", path);
  asercheck_error *error = NULL;
  char *report = asercheck_audit(request, NULL, NULL, NULL, &error);
  stop_at(error);
  expect(strstr(report, "ArrayIndexOutOfBoundsException") != NULL, "a finding");
  asercheck_string_free(report);
}

int main(int argc, char **argv) {
  printf("asercheck %s\n", asercheck_version());
  from_text();
  from_calls();
  errors();
  classes(argc > 1 ? argv[1] : "models/java/client/classes");
  return EXIT_SUCCESS;
}
