# Lists under a hundred thousand keys, a third of which are deleted again: some seven allocator events for each of the rounds.
my $rounds = shift // 300000;
my %h;
for my $i (1 .. $rounds) {
    push @{ $h{ "key" . ($i * 7919 % 100003) } }, { n => $i, t => "x" x ($i % 40) };
    delete $h{ "key" . ($i % 100003) } if $i % 3 == 0;
}
my $n = 0;
$n += @{ $h{$_} } for sort keys %h;
print "$n\n";
