// How well a few users would like each of many items: the tastes of the users times the features of the items, which
// come on standard input.
// usage: scores USERS ITEMS
#include <cstdio>
#include <cstdlib>
#include <memory>

using Numbers = std::unique_ptr<int[]>;

// score adds up what each item scores with a user; feature has a row of all items for each feature.
static void score(const Numbers &taste, const Numbers &feature, Numbers &result, int items)
{
    for (int i = 0; i < items; i++) {
        int sum = 0;

        for (int f = 0; f < items; f++)
            sum += taste[f] * (feature[f * items + i] % 13);
        result[i] += sum;
    }
}

int main(int argc, char **argv)
{
    int users = argc > 2 ? atoi(argv[1]) : 1, items = argc > 2 ? atoi(argv[2]) : 1;
    Numbers taste(new int[items]), feature(new int[items * items]), result(new int[items]());

    if (fread(feature.get(), items * sizeof(int), items, stdin) != (size_t)items)
        return 1;
    for (int u = 0; u < users; u++) {
        for (int f = 0; f < items; f++)
            taste[f] = (f + u) % 7;
        score(taste, feature, result, items);
    }
    printf("%d\n", result[items / 3]);
}
