// Timeline: the schedule that shows a predicted race, in two columns.
//
//     T1                                    T2
//     (17 steps as in this run)
//                                           acquires M0  second() app.cc:33
//     T3: releases M1  third() app.cc:50
//     (3 more steps)
//     writes 'shared'  first() app.cc:24 || writes 'shared'  second() app.cc:36
//
// Left is the thread of report.first, right that of report.second; steps of other threads have
// their name before them. The last line is the two accesses: both next, neither done. Lines
// stay within 120 columns where names allow; a cell that does not fit has its place below it, and
// a left access that does not fit beside the right column is on a line of its own, with "||" at its end.
#ifndef PREDRACE_REPORT_TIMELINE_H
#define PREDRACE_REPORT_TIMELINE_H

#include <string>

#include "runtime/report/record.h"

namespace predrace {

// REQUIRES: report.schedule. Whole lines.
std::string renderTimeline(const Report& report);

}  // namespace predrace

#endif  // PREDRACE_REPORT_TIMELINE_H
