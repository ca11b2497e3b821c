// Bubble sort of five numbers in a std::vector.
// usage: bubble_vector sorted | reversed | shuffled
#include <iostream>
#include <string>
#include <vector>

static void bubble_sort(std::vector<int> &list)
{
    bool swapped = true;

    for (std::size_t last = list.size() - 1; swapped && last > 0; last--) {
        swapped = false;
        for (std::size_t i = 0; i < last; i++) {
            const int left = list[i], right = list[i + 1];
            if (left > right) {
                list[i] = right;
                list[i + 1] = left;
                swapped = true;
            }
        }
    }
}

int main(int argc, char **argv)
{
    const std::string order = argc == 2 ? argv[1] : "";
    std::vector<int> numbers;

    if (order == "sorted")
        numbers = {1, 2, 3, 4, 5};
    else if (order == "reversed")
        numbers = {5, 4, 3, 2, 1};
    else if (order == "shuffled")
        numbers = {3, 2, 5, 4, 1}; // six pairs are out of order
    if (numbers.empty()) {
        std::cerr << "usage: bubble_vector sorted | reversed | shuffled\n";
        return 2;
    }
    bubble_sort(numbers);
    for (int n : numbers)
        std::cout << n << ' ';
    std::cout << '\n';
}
