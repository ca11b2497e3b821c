package layout

import "context"

func inBlocks(ctx context.Context, g Graph, o Options, report func(done, total int64)) (*Layout, error) {
	return flat(ctx, g, o, nil, report)
}
