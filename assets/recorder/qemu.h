/* The part of QEMU's plugin interface that the recorder uses, declared by ourselves because distributions ship the
 * emulator without its header. The functions are in the emulator that loads the plugin. These have been the same since
 * version 1 of the interface (QEMU 7.2); INTERFACE is the version that the plugin says it was made for, because newer
 * emulators refuse version 1. */
#ifndef ORRERY_QEMU_H
#define ORRERY_QEMU_H

#include <stddef.h>
#include <stdint.h>

#ifndef INTERFACE
#define INTERFACE 1
#endif

#define PLUGIN_API __attribute__((visibility("default")))

typedef uint64_t plugin_id;
typedef uint32_t plugin_meminfo;
struct qemu_info; /* the machine; not looked at */
struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { NO_REGISTERS = 0 };          /* a callback that looks at no register */
enum { LOADS = 1, STORES = 2, BOTH = 3 };

typedef void (*vcpu_call)(plugin_id, unsigned vcpu);
typedef void (*translate_call)(plugin_id, struct qemu_plugin_tb *);
typedef void (*exec_call)(unsigned vcpu, void *user);
typedef void (*mem_call)(unsigned vcpu, plugin_meminfo, uint64_t vaddr, void *user);
typedef void (*syscall_call)(plugin_id, unsigned vcpu, int64_t num, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
                             uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);
typedef void (*syscall_ret_call)(plugin_id, unsigned vcpu, int64_t num, int64_t ret);

extern void qemu_plugin_register_vcpu_init_cb(plugin_id, vcpu_call);
extern void qemu_plugin_register_vcpu_exit_cb(plugin_id, vcpu_call);
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, translate_call);
extern void qemu_plugin_register_vcpu_syscall_cb(plugin_id, syscall_call);
extern void qemu_plugin_register_vcpu_syscall_ret_cb(plugin_id, syscall_ret_call);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, exec_call, int registers, void *user);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, mem_call, int registers, int rw, void *user);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *);
extern unsigned qemu_plugin_mem_size_shift(plugin_meminfo);
extern _Bool qemu_plugin_mem_is_store(plugin_meminfo);
extern void qemu_plugin_outs(const char *);
extern const char *qemu_plugin_path_to_binary(void);

#endif
