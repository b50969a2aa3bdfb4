internal import ReaderIPC

/// The help texts.
enum Usage {
  static func text(_ topic: Topic?) -> String {
    guard let topic else { return overview }
    return "Usage: pagerd \(topic.synopsis)\n\n\(topic.explanation)"
  }

  private static var overview: String {
    var lines = [
      "pagerd: page keys for whatever you are reading", "",
      "Usage: pagerd [COMMAND] [OPTIONS]", "",
      "Commands:",
    ]
    let width = Topic.allCases.map(\.rawValue.utf8.count).max() ?? 0
    for topic in Topic.allCases {
      let padding = String(repeating: " ", count: width - topic.rawValue.utf8.count)
      lines.append("  \(topic.rawValue)\(padding)  \(topic.summary)")
    }
    lines += [
      "", "Options:",
      "  -h, --help     this text; 'pagerd COMMAND --help' says more about a command",
      "  -V, --version  the version",
      "", "Exit codes:",
    ]
    lines += ExitCode.allCases.map { "  \($0.rawValue)  \($0.meaning)" }
    lines += [
      "", "The socket is the first that accepts of $PAGERD_SOCKET, $XDG_RUNTIME_DIR/pagerd.sock and",
      "/run/pagerd/pagerd.sock.",
    ]
    return lines.joined(separator: "\n")
  }
}

extension Topic {
  var synopsis: String {
    switch self {
    case .run: "run [--config FOLDER]"
    case .devices: "devices [--json]"
    case .status: "status [--json]"
    case .monitor: "monitor [--raw] [--json]"
    case .learn: "learn [DEVICE] [--output FILE]"
    case .record: "record NODE [--output FILE]"
    case .replay: "replay [--role ROLE] [--bind 'KEY=COMMAND']... [--json] FILE"
    case .subscribe: "subscribe [--role background|observer] [--exec CMD] [--json]"
    case .send: "send COMMAND"
    case .emit: "emit on|off"
    case .check: "check [--config FOLDER] [FILE...]"
    case .reload: "reload"
    case .doctor: "doctor [--json]"
    }
  }

  var summary: String {
    switch self {
    case .run: "be the daemon (this is what pagerd does without a command)"
    case .devices: "list the input devices, and what pagerd makes of each"
    case .status: "what the running daemon does now"
    case .monitor: "show commands as they happen"
    case .learn: "teach pagerd a device, step by step"
    case .record: "record what a device sends"
    case .replay: "print the commands that a recording gives"
    case .subscribe: "take the commands that no window takes, and print them or run a program"
    case .send: "send a command, as if it had been pressed"
    case .emit: "send commands as keys, for programs that do not speak the socket"
    case .check: "check configuration and profiles"
    case .reload: "let the daemon read its configuration anew"
    case .doctor: "find out what is wrong, and how to put it right"
    }
  }

  var explanation: String {
    switch self {
    case .run:
      """
      Finds page turners, and sends what is pressed on them to whoever reads. A device is only taken while a reader
      is there; everything else that it sends reaches the desktop as before.

        --config FOLDER  read pagerd.conf and devices.d/*.conf from here instead of /etc/pagerd

      SIGTERM, SIGINT and SIGHUP give everything back and end it.
      """
    case .devices:
      """
      Lists every input device with its role and state. A running daemon is asked; without one, what it would make
      of each device is shown.

        --json  one JSON object, for programs
      """
    case .status:
      """
      Shows whether somebody takes the commands, how many clients there are, and each device with its role and its
      state: waiting-for-udev, waiting-for-key, busy, no-permission, ready (nobody is there), held, ignored.

        --json  one JSON object, for programs
      """
    case .monitor:
      """
      Prints each command with its device and gesture, until interrupted.

        --raw   every event of every device too (uid 0 and the group pagerd only)
        --json  the daemon's own lines, for programs
      """
    case .learn:
      """
      Asks for a press of each button, shows what it saw, and writes a profile that the daemon then uses.
      It works with keys, wheels, swipes, hats and sticks.

        DEVICE         the device's name or node; without it, the device on which something is pressed first
        --output FILE  write the profile here instead of /etc/pagerd/devices.d
      """
    case .record:
      """
      Writes the device's description and what it sends in the format of evemu 1.3, until interrupted.

        NODE           such as /dev/input/event5, or the device's name
        --output FILE  write here instead of standard output
      """
    case .replay:
      """
      Runs the recording through the whole pipeline without a kernel, and prints one command a line.

        --role ROLE           page-turner, shared, ignore or auto, whatever the profiles say
        --bind 'KEY=COMMAND'  a binding more, as in a profile: 'BTN_0=prev', 'hold VOLUMEUP=first'
        --json                with device, gesture and time, for programs
      """
    case .subscribe:
      """
      Prints each command on a line of its own, until interrupted.

        --role background  take the commands when no window does (the default)
        --role observer    only watch
        --exec CMD         run CMD with sh for each command instead; $1 and $PAGERD_COMMAND are the command,
                           $PAGERD_DEVICE and $PAGERD_GESTURE where it came from. One runs at a time.
        --json             the daemon's own lines, for programs
      """
    case .send: "COMMAND is " + Invocation.commandList + "."
    case .emit:
      """
      on: while no reader takes the commands, they are sent as the keys that [emit] in pagerd.conf names.
      off: no longer.
      """
    case .check:
      """
      Reads the files (all of the daemon's, if none is named) and says what is wrong, with line, column and what
      was expected.

        --config FOLDER  instead of /etc/pagerd
      """
    case .reload: "With errors the daemon keeps its last good configuration, and they are printed."
    case .doctor:
      """
      Looks at uinput, permissions, udev rules, the service, other programs that grab devices, and the session.
      Each finding comes with its remedy.

        --json  one JSON object, for programs
      """
    }
  }
}
