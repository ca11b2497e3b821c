#include "textflag.h"
#include "march_amd64.h"
#include "ring_amd64.h"

// func marchRows(m *march) (more bool)
#define NAME ·marchRows
#include "rows_amd64.h"
#undef NAME

// func marchRowsNoted(m *march) (more bool)
#define NAME ·marchRowsNoted
#define NOTED
#include "rows_amd64.h"
#undef NAME
#undef NOTED

// func marchQuestions(m *march) (more bool)
#define NAME ·marchQuestions
#include "questions_amd64.h"
#undef NAME

// func marchQuestionsNoted(m *march) (more bool)
#define NAME ·marchQuestionsNoted
#define NOTED
#include "questions_amd64.h"
