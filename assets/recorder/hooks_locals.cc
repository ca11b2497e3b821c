// A plugin for gcc, for `orrery cc --locals`: before a function is broken into simple steps, every variable and
// parameter of it is marked as one whose address is taken. gcc then keeps all of them in memory, and its thread
// sanitizer puts a call before each use, as for globals. Used with -O0, where no pass removes the mark.
#include "gcc-plugin.h"
#include "plugin-version.h"

#include "tree.h"

#include "tree-iterator.h"

int plugin_is_GPL_compatible; // gcc asks for this name

static void mark(tree variable)
{
    if (TREE_CODE(variable) != VAR_DECL && TREE_CODE(variable) != PARM_DECL)
        return;
    if (TREE_STATIC(variable) || DECL_EXTERNAL(variable) || DECL_ARTIFICIAL(variable) || DECL_HARD_REGISTER(variable) ||
        DECL_REGISTER(variable) || DECL_HAS_VALUE_EXPR_P(variable))
        return;
    TREE_ADDRESSABLE(variable) = 1;
}

static tree mark_bound(tree *node, int *, void *)
{
    if (TREE_CODE(*node) == BIND_EXPR)
        for (tree v = BIND_EXPR_VARS(*node); v; v = DECL_CHAIN(v))
            mark(v);
    else if (TREE_CODE(*node) == DECL_EXPR)
        mark(DECL_EXPR_DECL(*node));
    return NULL_TREE;
}

static void before_function(void *function, void *)
{
    tree decl = static_cast<tree>(function);

    for (tree p = DECL_ARGUMENTS(decl); p; p = DECL_CHAIN(p))
        mark(p);
    if (DECL_SAVED_TREE(decl))
        walk_tree_without_duplicates(&DECL_SAVED_TREE(decl), mark_bound, NULL);
}

int plugin_init(struct plugin_name_args *name, struct plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version))
        return 1;
    register_callback(name->base_name, PLUGIN_PRE_GENERICIZE, before_function, NULL);
    return 0;
}
