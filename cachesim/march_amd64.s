#include "go_asm.h"
#include "textflag.h"
#include "march_amd64.h"
#include "ring_amd64.h"
#include "count_amd64.h"

// func marchRows(m *march) (more bool)
#define NAME ·marchRows
#include "rows_amd64.h"
#undef NAME

// func marchQuestions(m *march) (more bool)
#define NAME ·marchQuestions
#include "questions_amd64.h"
#undef NAME

// func marchFinal(m *march) (more bool)
#define NAME ·marchFinal
#define FINAL
#include "questions_amd64.h"
#undef NAME
#undef FINAL

#define NOTED

// func marchRowsNoted(m *march) (more bool)
#define NAME ·marchRowsNoted
#include "rows_amd64.h"
#undef NAME

// func marchQuestionsNoted(m *march) (more bool)
#define NAME ·marchQuestionsNoted
#include "questions_amd64.h"
#undef NAME

// func marchFinalNoted(m *march) (more bool)
#define NAME ·marchFinalNoted
#define FINAL
#include "questions_amd64.h"
