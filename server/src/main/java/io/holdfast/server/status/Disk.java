package io.holdfast.server.status;

/** The disk with the broker's data; -1 stands for a number that is not known. */
public interface Disk {
  /** A disk of which nothing is known. */
  Disk UNKNOWN = new Disk() {};

  /** The size of the data. */
  default long usedBytes() {
    return -1;
  }

  default long freeBytes() {
    return -1;
  }

  /** The size of the disk. */
  default long totalBytes() {
    return -1;
  }
}
