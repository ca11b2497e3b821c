// Counts the words of a made-up text with the containers of the standard library: a sorted map, a hash map, a list, a
// deque and vectors of strings, for pictures of a heap that many small nodes share.
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

static unsigned seed = 1;

// The same numbers on every machine.
static unsigned dice(unsigned sides)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % sides;
}

static std::string make_word()
{
    static const char *syllables[] = {"ra", "ton", "mi", "quel", "os", "ta", "nor", "vi"};
    std::string word;
    for (unsigned n = 1 + dice(3) + dice(3) * dice(3); n > 0; n--)
        word += syllables[dice(8)];
    return word;
}

static std::vector<std::string> make_text(int words)
{
    std::vector<std::string> text;
    for (int i = 0; i < words; i++)
        text.push_back(make_word());
    return text;
}

static std::map<std::string, int> count_sorted(const std::vector<std::string> &text)
{
    std::map<std::string, int> counts;
    for (const std::string &word : text)
        counts[word]++;
    return counts;
}

static std::unordered_map<std::string, std::list<int>> index_places(const std::vector<std::string> &text)
{
    std::unordered_map<std::string, std::list<int>> places;
    for (int i = 0; i < int(text.size()); i++)
        places[text[i]].push_back(i);
    return places;
}

// The longest run of words without a repetition, seen through a window that a deque holds.
static int longest_fresh(const std::vector<std::string> &text)
{
    std::deque<const std::string *> window;
    size_t longest = 0;
    for (const std::string &word : text) {
        for (size_t i = window.size(); i-- > 0;) {
            if (*window[i] == word) {
                window.erase(window.begin(), window.begin() + i + 1);
                break;
            }
        }
        window.push_back(&word);
        longest = std::max(longest, window.size());
    }
    return int(longest);
}

int main()
{
    std::vector<std::string> text = make_text(400);
    std::map<std::string, int> counts = count_sorted(text);
    std::unordered_map<std::string, std::list<int>> places = index_places(text);
    int fresh = longest_fresh(text);
    for (auto &entry : counts) {
        if (int(places[entry.first].size()) != entry.second)
            return 1;
    }
    std::printf("%zu words, %zu different, %d in a row without a repetition\n", text.size(), counts.size(), fresh);
    return 0;
}
