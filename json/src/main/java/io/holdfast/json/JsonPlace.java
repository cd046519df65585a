package io.holdfast.json;

import java.util.ArrayList;
import java.util.List;

/** Where in a JSON body a reader is: in which field of which object, at which element. */
final class JsonPlace {
  /**
   * Most fields of an object that is read field by field. No object of ours has more, and each
   * field is compared with those before it.
   */
  static final int FIELDS_MAX = 128;

  private static final class Frame {
    private final List<String> fields = new ArrayList<>(8);
    private final boolean array;
    private int element = -1;

    Frame(boolean array) {
      this.array = array;
    }
  }

  private final List<Frame> frames = new ArrayList<>(4);

  void enterObject() {
    frames.add(new Frame(false));
  }

  void enterArray() {
    frames.add(new Frame(true));
  }

  void leave() {
    frames.removeLast();
  }

  /** Whether the object has as many fields as it may have. */
  boolean isFull() {
    return frames.getLast().fields.size() == FIELDS_MAX;
  }

  /** Steps on to a field; false if the object has had it before. */
  boolean field(String name) {
    List<String> fields = frames.getLast().fields;
    boolean fresh = !fields.contains(name);
    fields.add(name);
    return fresh;
  }

  void element() {
    frames.getLast().element++;
  }

  /** Such as {@code items[3].queue}; empty for the body itself. */
  String path() {
    StringBuilder path = new StringBuilder();
    for (Frame frame : frames) {
      if (frame.array) {
        path.append('[').append(Math.max(0, frame.element)).append(']');
      } else if (!frame.fields.isEmpty()) {
        path.append(path.isEmpty() ? "" : ".").append(frame.fields.getLast());
      }
    }
    return path.toString();
  }
}
