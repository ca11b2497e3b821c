// The material point method in two dimensions: an elastic block, made of particles, falls onto the floor of its box. Every
// step carries mass and momentum from the particles to a grid, moves the grid by the particles' stresses and carries
// the motion back (Sulsky, Chen and Schreyer, 1994).
//
// usage: mpm PARTICLES STEPS
#include "grid.h"

#include <cstdio>
#include <cstdlib>

namespace particle {

const int most = 64; // the block must fit into its box
int count;
Vec position[most], velocity[most];
double mass[most], volume[most];
double xx[most], yy[most], xy[most]; // the symmetric stress

} // namespace particle

static const double stiffness = 100, poisson = 0.3, gravity = -1, step = 0.002, spacing = 0.05;

static void make_block(int count)
{
    int wide = 1;
    while (wide * wide < count)
        wide++;
    particle::count = count;
    for (int k = 0; k < count; k++) {
        particle::position[k] = {0.3 + spacing * (k % wide + 0.5), 0.15 + spacing * (k / wide + 0.5)};
        particle::velocity[k] = {0, -0.5};
        particle::mass[k] = spacing * spacing;
        particle::volume[k] = spacing * spacing;
    }
}

static void clear()
{
    for (int n = 0; n < grid::nx * grid::ny; n++) {
        grid::mass[n] = 0;
        grid::momentum[n] = {0, 0};
        grid::force[n] = {0, 0};
    }
}

// Particles to grid: each of the four nodes around a particle gets its share of mass and of momentum.
static void interpolate()
{
    for (int k = 0; k < particle::count; k++) {
        Vec at = particle::position[k];
        int i0 = int(at.x / grid::dx), j0 = int(at.y / grid::dy);
        for (int j = j0; j <= j0 + 1; j++) {
            for (int i = i0; i <= i0 + 1; i++) {
                int n = grid::indexify(i, j);
                grid::mass[n] += grid::shape(at, i, j) * particle::mass[k];
                grid::momentum[n] = grid::momentum[n] + grid::shape(at, i, j) * particle::mass[k] * particle::velocity[k];
            }
        }
    }
}

// The divergence of the particles' stresses, and gravity, become forces on the nodes.
static void internal_force()
{
    for (int k = 0; k < particle::count; k++) {
        Vec at = particle::position[k];
        int i0 = int(at.x / grid::dx), j0 = int(at.y / grid::dy);
        for (int j = j0; j <= j0 + 1; j++) {
            for (int i = i0; i <= i0 + 1; i++) {
                int n = grid::indexify(i, j);
                Vec s = grid::slope(at, i, j);
                Vec pull = {particle::xx[k] * s.x + particle::xy[k] * s.y, particle::xy[k] * s.x + particle::yy[k] * s.y};
                grid::force[n] = grid::force[n] + -particle::volume[k] * pull;
                grid::force[n].y += grid::shape(at, i, j) * particle::mass[k] * gravity;
            }
        }
    }
}

// Nodes move; the walls push theirs just as hard as it takes to hold them.
static void move_grid()
{
    for (int j = 0; j < grid::ny; j++) {
        for (int i = 0; i < grid::nx; i++) {
            int n = grid::indexify(i, j);
            if (i <= 1 || i >= grid::nx - 2)
                grid::force[n].x = -grid::momentum[n].x / step;
            if (j <= 1 || j >= grid::ny - 2)
                grid::force[n].y = -grid::momentum[n].y / step;
            grid::momentum[n] = grid::momentum[n] + step * grid::force[n];
        }
    }
}

// The constitutive model: strain rates of a step become stresses.
static void update_stress(int k, double exx, double eyy, double exy)
{
    double shear = stiffness / (1 + poisson), bulk = stiffness * poisson / ((1 + poisson) * (1 - 2 * poisson));
    particle::xx[k] += step * (shear * exx + bulk * (exx + eyy));
    particle::yy[k] += step * (shear * eyy + bulk * (exx + eyy));
    particle::xy[k] += step * shear * exy;
    particle::volume[k] *= 1 + step * (exx + eyy);
}

// Grid to particles: velocities, places and stresses.
static void update_particles()
{
    for (int k = 0; k < particle::count; k++) {
        Vec at = particle::position[k], moved = {0, 0}, pushed = {0, 0};
        double exx = 0, eyy = 0, exy = 0;
        int i0 = int(at.x / grid::dx), j0 = int(at.y / grid::dy);
        for (int j = j0; j <= j0 + 1; j++) {
            for (int i = i0; i <= i0 + 1; i++) {
                int n = grid::indexify(i, j);
                if (grid::mass[n] < 1e-12)
                    continue;
                double w = grid::shape(at, i, j);
                Vec s = grid::slope(at, i, j), v = 1 / grid::mass[n] * grid::momentum[n];
                moved = moved + w * v;
                pushed = pushed + w / grid::mass[n] * grid::force[n];
                exx += s.x * v.x;
                eyy += s.y * v.y;
                exy += 0.5 * (s.x * v.y + s.y * v.x);
            }
        }
        particle::velocity[k] = particle::velocity[k] + step * pushed;
        particle::position[k] = at + step * moved;
        update_stress(k, exx, eyy, exy);
    }
}

static void simulate(int steps)
{
    for (int s = 0; s < steps; s++) {
        clear();
        interpolate();
        internal_force();
        move_grid();
        update_particles();
    }
}

int main(int argc, char **argv)
{
    int count = argc == 3 ? std::atoi(argv[1]) : 0, steps = argc == 3 ? std::atoi(argv[2]) : 0;
    if (count < 1 || count > particle::most || steps < 1) {
        std::fprintf(stderr, "usage: mpm PARTICLES STEPS (at most %d particles)\n", particle::most);
        return 2;
    }
    make_block(count);
    simulate(steps);
    double low = 1, high = 0;
    for (int k = 0; k < count; k++) {
        double y = particle::position[k].y;
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    std::printf("%d particles between heights %.3f and %.3f after %d steps\n", count, low, high, steps);
    return !(low > 0 && high < 1);
}
