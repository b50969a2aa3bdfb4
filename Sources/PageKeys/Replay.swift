extension Recording {
  /// Runs the pipeline over the recording without a kernel, everything routed; after the last event time runs on until
  /// no deadline is left.
  ///
  /// A key that is still down at the end does not repeat for ever: its repeats end with the recording.
  ///
  /// - Parameters:
  ///   - configuration: shipped profiles and what comes on top of them.
  ///   - role: overrides only the role; nil: the profile's, else the judgement of `auto`.
  ///   - bindings: added to those of the configuration.
  public func replay(_ configuration: Configuration, role: Role? = nil, bindings: [Binding] = []) -> [Fired] {
    var fired: [Fired] = []
    replay(configuration, role: role, bindings: bindings) { fired += $0.fired }
    return fired
  }

  /// The same, and what came of each frame and each deadline is handed out: also what the clone would see.
  public func replay(
    _ configuration: Configuration, role: Role? = nil, bindings: [Binding] = [], each: (Outcome) -> Void
  ) {
    var settings = configuration.settings(for: [node])
    settings.bindings += bindings
    if let role {
      settings.role = role
      settings.nodeRoles = [:]
      settings.isNamed = true
    }
    let role = judge(node, siblings: [], settings: settings).role
    guard role != .ignore else { return }
    var pipeline = RemotePipeline(settings: settings)
    var outcome = Outcome()
    let number = pipeline.attach(node, role: role, state: NodeState(node))
    events.withUnsafeBufferPointer { events in
      var start = 0
      while start < events.count {
        var end = start
        while end < events.count, !events[end].isFrameEnd { end += 1 }
        let frame = UnsafeBufferPointer(rebasing: events[start..<min(end + 1, events.count)])
        // Each deadline in a call of its own, as a daemon that is awake would have it.
        let time = events[start].time
        while let deadline = pipeline.nextDeadline, deadline < time {
          // A gap that no recorder waited for is taken in one step.
          pipeline.advance(to: time - deadline > 600_000_000 ? time : deadline, into: &outcome)
          each(outcome)
        }
        if frame.contains(where: { $0.type == EventType.syn && $0.code == 3 }) {
          // What the recorder lost is lost: what was down may be up since, and the frame is void.
          pipeline.synchronise(number, with: NodeState(), at: time, into: &outcome)
        } else {
          pipeline.process(frame, from: number, routed: true, into: &outcome)
        }
        each(outcome)
        start = end + 1
      }
    }
    // A repeat comes due with the others only as long as something else is waited for.
    while let deadline = pipeline.nextFiniteDeadline {
      pipeline.advance(to: deadline, into: &outcome)
      each(outcome)
    }
  }
}
