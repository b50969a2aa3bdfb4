internal import PageKeys

/// What of a queue others have seen too, told by what a bystander saw.
///
/// Two readers of a device get the same events, with the same times, in the same order.
enum Overlap {
  /// - Parameters:
  ///   - mine: our queue, beginning before a grab.
  ///   - seen: what the bystander saw until the grab, beginning no later than `mine`.
  /// - Returns: how many of the first events of `mine` the others saw.
  static func countSeen(atStartOf mine: [InputEvent], seen: [InputEvent]) -> Int {
    var count = min(mine.count, seen.count)
    while count > 0, !mine[..<count].elementsEqual(seen[(seen.count - count)...]) { count -= 1 }
    return count
  }

  /// - Parameters:
  ///   - mine: our queue, ending after the device was given back.
  ///   - seen: what the bystander saw since then, ending no earlier than `mine`.
  /// - Returns: how many of the last events of `mine` the others saw.
  static func countSeen(atEndOf mine: [InputEvent], seen: [InputEvent]) -> Int {
    var count = min(mine.count, seen.count)
    while count > 0, !mine[(mine.count - count)...].elementsEqual(seen[..<count]) { count -= 1 }
    return count
  }

  /// The keys of `down` that are up after the events.
  static func keysUp(after events: [InputEvent], of down: KeyBits) -> KeyBits {
    var up = KeyBits()
    for event in events where event.type == EventType.key && down.contains(event.code) {
      if event.value == 0 { up.insert(event.code) } else { up.remove(event.code) }
    }
    return up
  }

  /// What to write into a device so that the others see what only we saw.
  ///
  /// The kernel passes on only what changes a key's state, so a press that is over is written as a press and a release,
  /// and one that goes on as a release and a press. A key that was put down again beforehand is written as it was.
  ///
  /// | # | others believe | only we saw | the key now | written |
  /// |---|---|---|---|---|
  /// | 1 | up | press, release | up | press, release |
  /// | 2 | up | press | down | release, press |
  /// | 3 | up | press; all saw the release | up | press, release |
  /// | 4 | down | release | rewound | release |
  /// | 5 | down | release, press, release | rewound | release, press, release |
  /// | 6 | down | release, too late to be rewound | up | press, release |
  /// | 7 | down | release, press | down | release, press |
  /// | 8 | up | release | up | nothing |
  /// | 9 | up | press, release, press, release | up | press, release, press, release |
  /// | 10 | | motion, a wheel | | the same |
  ///
  /// - Parameters:
  ///   - missed: what only we saw.
  ///   - last: what only we saw after that, while the device was given back.
  ///   - later: what all saw after it.
  ///   - down: the keys that the others believe to be down.
  ///   - rewound: the keys of these that are up and were written down before `last`.
  static func repair(
    missed: [InputEvent], last: [InputEvent], later: [InputEvent], believedDown down: KeyBits, rewound: KeyBits
  ) -> [InputEvent] {
    let all = missed + last
    var isDownNow = KeyBits()
    for event in all + later where event.type == EventType.key && event.value != 2 {
      if event.value == 0 { isDownNow.remove(event.code) } else { isDownNow.insert(event.code) }
    }
    var believed = down
    var written: [InputEvent] = []
    for (index, event) in all.enumerated() {
      switch event.type {
      case EventType.rel: written.append(event)
      case EventType.key where rewound.contains(event.code):
        if index < missed.count, event.value != 2 { written.append(event) }
      case EventType.key where event.value == 1:
        append(event.code, isDownNow.contains(event.code), to: &written)
        believed.remove(event.code)
      case EventType.key where event.value == 0 && believed.contains(event.code):
        // A press that follows writes this release with it.
        let isFollowed = all[(index + 1)...].contains {
          $0.type == event.type && $0.code == event.code && $0.value == 1
        }
        if !isFollowed || !isDownNow.contains(event.code) {
          append(event.code, isDownNow.contains(event.code), to: &written)
        }
        believed.remove(event.code)
      default: break
      }
    }
    return written
  }

  private static func append(_ code: UInt16, _ isDown: Bool, to written: inout [InputEvent]) {
    for value: Int32 in isDown ? [0, 1] : [1, 0] {
      written.append(InputEvent(type: EventType.key, code: code, value: value, time: 0))
    }
  }
}
