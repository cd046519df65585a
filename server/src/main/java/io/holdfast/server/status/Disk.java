package io.holdfast.server.status;

/** The disk that the broker's data is on; whoever opened the broker knows. */
public interface Disk {
  /** Nobody said where the data is. */
  Disk UNKNOWN =
      new Disk() {
        @Override
        public long usedBytes() {
          return -1;
        }

        @Override
        public long freeBytes() {
          return -1;
        }

        @Override
        public long totalBytes() {
          return -1;
        }
      };

  /** What the data takes; -1 if that is not known. */
  long usedBytes();

  /** What is left for it; -1 if that is not known. */
  long freeBytes();

  /** How large the disk is; -1 if that is not known. */
  long totalBytes();
}
