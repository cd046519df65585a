package io.holdfast.server.status;

/** Which Holdfast this is. */
public final class Version {
  private Version() {}

  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
