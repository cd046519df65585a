package io.holdfast.browser;

/** How wide the window is: what a desk has, and what a hand holds. */
enum Width {
  DESKTOP(1280, 800),
  PHONE(390, 844);

  final int wide;
  final int high;

  Width(int wide, int high) {
    this.wide = wide;
    this.high = high;
  }
}
