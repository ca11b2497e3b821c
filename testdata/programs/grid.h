// A rectangular grid of nodes and the shape functions that spread what a particle carries over the nodes around it.
#ifndef GRID_H
#define GRID_H

struct Vec {
    double x, y;
};

inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
inline Vec operator*(double s, Vec a) { return {s * a.x, s * a.y}; }

namespace grid {

const int nx = 11, ny = 11;
const double dx = 0.1, dy = 0.1;

double mass[nx * ny];
Vec momentum[nx * ny], force[nx * ny];

inline int indexify(int i, int j) { return j * nx + i; }

// The linear hat function: 1 at the node, 0 at its neighbours.
inline double hat(double distance)
{
    if (distance < 0)
        distance = -distance;
    return distance < 1 ? 1 - distance : 0;
}

inline double shape_x(double x, int i) { return hat(x / dx - i); }
inline double shape_y(double y, int j) { return hat(y / dy - j); }
inline double shape(Vec p, int i, int j) { return shape_x(p.x, i) * shape_y(p.y, j); }

// The gradient of the shape function of node (i, j) at p.
inline Vec slope(Vec p, int i, int j)
{
    return {(p.x / dx < i ? 1 : -1) / dx * shape_y(p.y, j), (p.y / dy < j ? 1 : -1) / dy * shape_x(p.x, i)};
}

} // namespace grid

#endif
