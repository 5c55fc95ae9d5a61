"""The system calls that a program may make, by name: their numbers on x86_64 and on aarch64.

What is not listed is refused, so a call that a later kernel brings is refused as well.
`filtered` ones are looked at more closely in `seccomp.py`. None: the architecture has no such call.
"""

from __future__ import annotations

ALLOWED: dict[str, tuple[int | None, int | None]] = {
    # files that are open
    "read": (0, 63),
    "write": (1, 64),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "pwrite64": (18, 68),
    "preadv": (295, 69),
    "pwritev": (296, 70),
    "lseek": (8, 62),
    "close": (3, 57),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "fstat": (5, 80),
    "ftruncate": (77, 46),
    "fallocate": (285, 47),
    "sendfile": (40, 71),
    "copy_file_range": (326, 285),
    "getdents64": (217, 61),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441),
    "eventfd2": (290, 19),
    # files by their names (Landlock and the mounts say which)
    "open": (2, None),
    "openat": (257, 56),
    "openat2": (437, 437),
    "creat": (85, None),
    "stat": (4, None),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "rmdir": (84, None),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "link": (86, None),
    "linkat": (265, 37),
    "symlink": (88, None),
    "symlinkat": (266, 36),
    "truncate": (76, 45),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "getcwd": (79, 17),
    "umask": (95, 166),
    # memory
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "brk": (12, 214),
    # threads
    "futex": (202, 98),
    "futex_waitv": (449, 449),
    "set_robust_list": (273, 99),
    "set_tid_address": (218, 96),
    "rseq": (334, 293),
    "gettid": (186, 178),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "getcpu": (309, 168),
    "arch_prctl": (158, None),
    # signals and children of this process's own
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    "pause": (34, None),
    "alarm": (37, None),
    "getitimer": (36, 102),
    "setitimer": (38, 103),
    "wait4": (61, 260),
    "waitid": (247, 95),
    # time
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    # what it is
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getgroups": (115, 158),
    "getpgid": (121, 155),
    "getpgrp": (111, None),
    "getsid": (124, 156),
    "capget": (125, 90),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getrandom": (318, 278),
}

FILTERED = {
    "clone": (56, 220),
    "mmap": (9, 222),
    "madvise": (28, 233),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "prlimit64": (302, 261),
    "prctl": (157, 167),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "tgkill": (234, 131),
    "fadvise64": (221, 223),
    "epoll_ctl": (233, 21),
    "close_range": (436, 436),
}

# Done by doing nothing, which is all that they do to files in memory: of a library, they would have
# a disk of the machine write out what it holds, for which others wait.
NEEDLESS = {"fsync": (74, 82), "fdatasync": (75, 83), "msync": (26, 227)}

# Attributes of files: answered as by a file system that has none, which `shutil` takes for an end.
UNSUPPORTED = {
    "getxattr": (191, 8),
    "lgetxattr": (192, 9),
    "fgetxattr": (193, 10),
    "listxattr": (194, 11),
    "llistxattr": (195, 12),
    "flistxattr": (196, 13),
}

# Answered as by a kernel that does not have them, for which the C library and others have another
# way. So is every call from 424 on (the numbers are the same on all architectures from there).
# `statfs` tells how full the disks of the machine are.
UNKNOWN = {"membarrier": (324, 283), "statfs": (137, 43), "fstatfs": (138, 44)}
FIRST_NEW = 424
