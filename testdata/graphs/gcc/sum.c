struct node { struct node *next; int value; };
int sum(const struct node *list)
{
	int total = 0;
	for (; list; list = list->next)
		if (list->value > 0)
			total += list->value;
	return total;
}
int twice(const struct node *list) { return 2 * sum(list); }
