package io.holdfast.server.access;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;

/**
 * Who may read a secret file: the same after a change as before, also if it was root that changed
 * it. Else the service that the file is for could not read it any more.
 */
final class FileReaders {
  private FileReaders() {}

  /**
   * Lets those read a file who may read another.
   *
   * @param model the file whose place it takes, or the folder that it is new in
   * @throws IOException if that is not allowed
   */
  static void keep(Path model, Path fresh) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    PosixFileAttributes before = Files.readAttributes(model, PosixFileAttributes.class);
    if (before.isRegularFile() && before.permissions().contains(PosixFilePermission.GROUP_READ)) {
      view.setGroup(before.group());
      view.setPermissions(PosixFilePermissions.fromString("rw-r-----"));
    }
    keepOwner(model, fresh);
  }

  /** Gives a file to the owner of another. */
  static void keepOwner(Path model, Path fresh) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
    // Root reads everything anyway, and only root can give something away.
    if (view == null || Integer.valueOf(0).equals(Files.getAttribute(model, "unix:uid"))) {
      return;
    }
    UserPrincipal owner = Files.getOwner(model);
    if (!owner.equals(view.getOwner())) {
      try {
        view.setOwner(owner);
      } catch (FileSystemException refused) {
        throw new FileSystemException(
            model.toString(), null, "it is " + owner + "'s: change it as that user, or as root");
      }
    }
  }
}
