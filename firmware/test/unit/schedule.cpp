#include <doctest/doctest.h>

#include <initializer_list>

#include "schedule/schedule.h"

using namespace hearth;
using Kind = ScheduleEventKind;

namespace {
constexpr uint32_t kPoll = 120000;
struct Bench {
  ScheduleState state = schedule_start();
  uint32_t now = 0;
  ScheduleAction step(Kind kind, uint8_t rows = 0) {
    return schedule_step(&state, now, kPoll, ScheduleEvent{kind, rows});
  }
  /// Ticks until a fetch is due; returns how long that took.
  uint32_t until_fetch(ScheduleAction* action = nullptr) {
    uint32_t waited = 0;
    for (;;) {
      const ScheduleAction next = step(Kind::Tick);
      if (next.kind == ScheduleAction::Fetch) {
        if (action != nullptr) *action = next;
        return waited;
      }
      REQUIRE(next.wait_ms > 0);
      now += next.wait_ms;
      waited += next.wait_ms;
    }
  }
};
}  // namespace

TEST_CASE("visits rows in order, one a turn") {
  Bench bench;
  CHECK(bench.step(Kind::Tick).kind == ScheduleAction::Wait);
  ScheduleAction action = bench.step(Kind::Refresh, 3);
  CHECK((action.kind == ScheduleAction::Fetch && action.row == 0));
  CHECK(bench.step(Kind::Tick).kind == ScheduleAction::Wait);
  CHECK(bench.step(Kind::Succeeded).kind == ScheduleAction::Wait);
  CHECK(bench.step(Kind::Tick).row == 1);
  bench.step(Kind::Failed);
  CHECK(bench.step(Kind::Tick).row == 2);
  bench.step(Kind::Succeeded);
  CHECK(bench.until_fetch(&action) == 12000);
  CHECK(action.row == 1);
}

TEST_CASE("retries after 12, 24, 48 and 96 s, then after each interval") {
  Bench bench;
  bench.step(Kind::Refresh, 1);
  for (uint32_t expected : {12000u, 24000u, 48000u, 96000u, kPoll, kPoll, kPoll}) {
    bench.step(Kind::Failed);
    CHECK(bench.until_fetch() == expected);
  }
  for (int i = 0; i < 1000; i++) {
    bench.step(i % 2 == 0 ? Kind::Failed : Kind::Skipped);
    CHECK(bench.until_fetch() == kPoll);
  }
  bench.step(Kind::Succeeded);
  CHECK(bench.until_fetch() == kPoll);
  bench.step(Kind::Skipped);
  CHECK(bench.until_fetch() == 12000);
}

TEST_CASE("never retries later than the interval") {
  Bench bench;
  schedule_step(&bench.state, 0, 10000, ScheduleEvent{Kind::Refresh, 1});
  CHECK(schedule_step(&bench.state, 0, 10000, ScheduleEvent{Kind::Failed, 0}).wait_ms == 10000);
}

TEST_CASE("tries the mirror once on the next turn") {
  Bench bench;
  bench.step(Kind::Refresh, 2);
  bench.step(Kind::TryMirror);
  const ScheduleAction second = bench.step(Kind::Tick);
  CHECK((second.kind == ScheduleAction::Fetch && second.row == 0 && second.mirror));
  bench.step(Kind::TryMirror);
  CHECK(bench.state.rows[0].failures == 1);
  CHECK(bench.step(Kind::Tick).row == 1);
}

TEST_CASE("survives a clock that wraps or jumps") {
  Bench bench;
  bench.now = 0xffffff00u;
  bench.step(Kind::Refresh, 1);
  bench.step(Kind::Succeeded);
  CHECK(bench.until_fetch() == kPoll);
  bench.step(Kind::Succeeded);
  bench.now -= 50000000;
  CHECK(bench.step(Kind::Tick).kind == ScheduleAction::Wait);
  CHECK(schedule_wait(bench.state, 0, bench.now) == kPoll);
  bench.now += 90000000;
  CHECK(bench.step(Kind::Tick).kind == ScheduleAction::Fetch);
  CHECK(schedule_wait(bench.state, 0, bench.now) == 0);
}
