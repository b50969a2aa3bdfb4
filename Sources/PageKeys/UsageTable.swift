/// The key that Linux gives a HID usage: what a scan code means on a device without key events.
///
/// Source: HID Usage Tables, and the names that the kernel's HID driver gives the usages.
public enum UsageTable {
  /// - Parameter usage: page << 16 | usage, as MSC_SCAN carries it.
  /// - Returns: nil for usages without a key.
  public static func key(of usage: UInt32) -> UInt16? {
    keys.first { $0.usage == usage }?.key
  }

  /// All usages that have a key; made when the first device without key events is found.
  static let keys: [(usage: UInt32, key: UInt16)] = {
    var keys: [(usage: UInt32, key: UInt16)] = []
    for (page, rows) in [(0x01, generic), (0x07, keyboard), (0x0c, consumer)] as [(UInt32, [(UInt32, StaticString)])] {
      for (first, names) in rows {
        for (index, name) in names.description.split(separator: " ").enumerated() {
          guard let key = KeyNames.key(String(name)) else { continue }
          keys.append((page << 16 | (first + UInt32(index)), key))
        }
      }
    }
    return keys
  }()

  private static let generic: [(UInt32, StaticString)] = [(0x81, "POWER SLEEP WAKEUP")]

  /// First usage of a row, then one key for each usage; `-`: none.
  private static let keyboard: [(UInt32, StaticString)] = [
    (0x04, "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z 1 2 3 4 5 6 7 8 9 0"),
    (0x28, "ENTER ESC BACKSPACE TAB SPACE MINUS EQUAL LEFTBRACE RIGHTBRACE BACKSLASH BACKSLASH SEMICOLON"),
    (0x34, "APOSTROPHE GRAVE COMMA DOT SLASH CAPSLOCK F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12"),
    (0x46, "SYSRQ SCROLLLOCK PAUSE INSERT HOME PAGEUP DELETE END PAGEDOWN RIGHT LEFT DOWN UP NUMLOCK"),
    (0x54, "KPSLASH KPASTERISK KPMINUS KPPLUS KPENTER KP1 KP2 KP3 KP4 KP5 KP6 KP7 KP8 KP9 KP0 KPDOT"),
    (0x64, "102ND COMPOSE POWER KPEQUAL F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24"),
    (0x74, "OPEN HELP PROPS FRONT STOP AGAIN UNDO CUT COPY PASTE FIND MUTE VOLUMEUP VOLUMEDOWN"),
    (0x85, "KPCOMMA - RO KATAKANAHIRAGANA YEN HENKAN MUHENKAN KPJPCOMMA - - -"),
    (0x90, "HANGEUL HANJA KATAKANA HIRAGANA ZENKAKUHANKAKU"),
    (0x9c, "DELETE"),
    (0xb6, "KPLEFTPAREN KPRIGHTPAREN"),
    (0xe0, "LEFTCTRL LEFTSHIFT LEFTALT LEFTMETA RIGHTCTRL RIGHTSHIFT RIGHTALT RIGHTMETA PLAYPAUSE STOPCD"),
    (0xea, "PREVIOUSSONG NEXTSONG EJECTCD VOLUMEUP VOLUMEDOWN MUTE WWW BACK FORWARD STOP FIND SCROLLUP"),
    (0xf6, "SCROLLDOWN EDIT SLEEP COFFEE REFRESH CALC"),
  ]

  private static let consumer: [(UInt32, StaticString)] = [
    (0x30, "POWER RESTART - - SLEEP KBDILLUMTOGGLE BTN_MISC"),
    (0x40, "MENU SELECT UP DOWN LEFT RIGHT ESC KPPLUS KPMINUS"),
    (0x60, "INFO SUBTITLE - VCR - CAMERA - - - RED GREEN BLUE YELLOW ASPECT_RATIO - BRIGHTNESSUP"),
    (0x70, "BRIGHTNESSDOWN - BRIGHTNESS_TOGGLE BRIGHTNESS_MIN BRIGHTNESS_MAX BRIGHTNESS_AUTO"),
    (0x79, "KBDILLUMUP KBDILLUMDOWN - KBDILLUMTOGGLE"),
    (0x82, "VIDEO_NEXT LAST ENTER"),
    (0x88, "PC TV WWW DVD PHONE PROGRAM VIDEOPHONE GAMES MEMO CD VCR TUNER EXIT HELP TAPE TV2 SAT - PVR"),
    (0x9c, "CHANNELUP CHANNELDOWN - - VCR2"),
    (0xb0, "PLAY PAUSE RECORD FASTFORWARD REWIND NEXTSONG PREVIOUSSONG STOPCD EJECTCD SHUFFLE - - MEDIA_REPEAT"),
    (0xbf, "SLOW"), (0xcd, "PLAYPAUSE - VOICECOMMAND"), (0xd8, "DICTATE EMOJI_PICKER"),
    (0xe2, "MUTE - - BASSBOOST - - - VOLUMEUP VOLUMEDOWN"), (0xf5, "SLOW"),
    (0x181, "BUTTONCONFIG BOOKMARKS CONFIG WORDPROCESSOR EDITOR SPREADSHEET GRAPHICSEDITOR PRESENTATION DATABASE"),
    (0x18a, "MAIL NEWS VOICEMAIL ADDRESSBOOK CALENDAR TASKMANAGER JOURNAL FINANCE CALC PLAYER FILE - WWW"),
    (0x199, "CHAT - - LOGOFF - COFFEE CONTROLPANEL - - APPSELECT NEXT PREVIOUS - HELP DOCUMENTS"),
    (0x1ab, "SPELLCHECK - - KEYBOARD - - SCREENSAVER - - FILE - IMAGES AUDIO VIDEO - - - MESSENGER INFO"),
    (0x1cb, "ASSISTANT"),
    (0x201, "NEW OPEN CLOSE EXIT - - SAVE PRINT PROPS"),
    (0x21a, "UNDO COPY CUT PASTE - FIND - SEARCH GOTO HOMEPAGE BACK FORWARD STOP REFRESH - - BOOKMARKS"),
    (0x22d, "ZOOMIN ZOOMOUT ZOOMRESET - - FULL_SCREEN SCROLLUP SCROLLDOWN"),
    (0x23d, "EDIT"), (0x25f, "CANCEL"), (0x269, "INSERT DELETE"), (0x279, "REDO"),
    (0x289, "REPLY - FORWARDMAIL SEND"), (0x29d, "KBD_LAYOUT_NEXT"),
  ]
}
