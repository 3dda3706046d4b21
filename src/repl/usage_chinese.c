/* usage_chinese.c: what `--help` says of each command, in Chinese: its help, and a line for each option, in the order of usage.c. */
#include <string.h>

#include "repl/usage.h"

#define LANG_OPTION  "用英文还是中文；不写则随系统的语言\n"
#define TRUST_OPTION "文件里的课是你自己的：它可以做你能做的一切\n"
#define JOBS_OPTION  "用这么多进程；不写则每个处理器一个\n"

static const usage_words words[] = {
    {"lesson",
     "学一课；不写 NAME 则列出各课。lesson plan：按天的安排。lesson export NAME 写出要交的答案；编者用：lesson lint [NAME]、lesson new NAME",
     LANG_OPTION "属于这个名字的习题变式\n"
                 "从第一步重来，得分清零\n"
                 "文件里的课是你自己的：它可以做你能做的一切，并保存进度\n"
                 "export：这是谁的答案\n"
                 "export：写到哪里；不写则是 LESSON-STUDENT.json\n"},
    {"grade", "重新判学生的答案，输出 CSV",
     LANG_OPTION "写成表格文件，不打印\n"
                 "Lua 答案文件属于哪一课；自己写的课给出 FILE.lua\n"
                 "Lua 文件答的是谁的变式\n"
                 "每份答案的时间（10 秒）\n"
                 "每份答案的内存（1024 MB）\n"
                 "FILE 里的课是你自己的：它可以做你能做的一切\n"
                 "另写一张表，每个学生一行\n"
                 "另写一张表，每道题一行\n"
                 "全班概况：哪道题做不出，得到的是什么反馈\n"
                 "另为每份作业写一个文件\n"
                 "封签损坏也给分\n"
                 "系统不能把答案与你的文件隔开时也判\n"},
    {"glossary", "术语，中英对照", LANG_OPTION},
    {"check", "核对论断与课程；不写名字则核对全部",
     LANG_OPTION "结果写成 JSON\n"
                 "全部结果的网页\n"
                 "未定的、比账上弱的也算失败\n"
                 "说明各用了多少时间\n" JOBS_OPTION "把证明写成 Coq 文件\n" TRUST_OPTION
                 "训练好的模型，用来实测\n"
                 "其中词表的名字，或一个 .npy 文件\n"
                 "其中位置表的名字，或一个 .npy 文件\n"
                 "把实验重新跑一遍，要几分钟\n"},
    {"train", "训练一个 Transformer；FILE.lua 返回 train 的选项",
     LANG_OPTION "走这么多步，不管配方怎么写\n"
                 "模型与批次的种子\n"
                 "run.safetensors、best.safetensors 与 losses.csv 写到哪里；不写则用配方的名字\n"
                 "接着文件夹里的训练做下去\n"},
    {"experiment", "训练模型，按事先写好的规则判定；关于训练后模型的论断都以此为据",
     LANG_OPTION
     "run：同时跑几个；不写则一个。在 mpirun 或 srun 之下，各进程共用一个文件夹：每个去取下一个还空着的，也接手死掉的\n"
     "run：N 份中的第 I 份，各在一台机器上\n"
     "结果在哪里；run：不写则是以实验命名的文件夹；report：不写则是自带的结果\n"
     "report：连同 N 份的结果\n"
     "report：带图的网页\n"},
    {"claims", "列出各条论断及其状况", LANG_OPTION "写成 JSON\n"},
    {"notebook", "把一课写成 Jupyter 笔记本，不运行", LANG_OPTION "答案处换成待填的框架\n写到哪里，不打印\n"},
    {"page", "把课程写成网页，附各步的输出；--all 连同目录、术语、图谱、账目与报告",
     "只写这一种语言；不写则两种都写\n"
     "所有的课，以及书的其余部分\n"
     "写到哪个文件夹\n"
     "带答案与检查\n"
     "另把带答案的网页写到那个文件夹\n" JOBS_OPTION TRUST_OPTION},
    {"course", "按天的课程安排，附分钟数与先修；pack：写出给学生的程序，其中的课没有答案、错例和隐藏的检查",
     LANG_OPTION "学生可以拿到的样子\n"
                 "写到哪个文件夹：程序，以及可读的课\n"
                 "保留没有隐藏的检查：当场有反馈，但检查会透露它要什么\n" JOBS_OPTION},
    {"kernel", "把本程序告诉 Jupyter；Jupyter 随后运行它",
     LANG_OPTION "install：只为这个用户，默认如此\ninstall：装在 DIR/share/jupyter 之下\n"},
    {0},
};

const usage_words *repl_chinese_words(const char *name) {
    const usage_words *w = words;
    while (w->name && strcmp(w->name, name) != 0) w++;
    return w->name ? w : NULL;
}
