# Three phases: words are counted, sorted lists of them are built and thrown away in turns, an index is kept.
use strict;
my (%count, @keep);
for my $i (1 .. 6000) { $count{"word" . ($i * 7919 % 3001)} .= "x" x ($i % 13) }
for my $round (1 .. 12) {
    my @lists;
    for my $i (1 .. 1500) { push @lists, [ $i, "n$i" x ($round % 4 + 1), { id => $i } ] }
    @lists = reverse sort { $a->[1] cmp $b->[1] } @lists;
    push @keep, $lists[ 100 * $round ];
}
my %index;
for my $key (sort keys %count) { push @{ $index{ substr $key, 0, 6 } }, $key }
print scalar(keys %index), " ", scalar(@keep), "\n";
