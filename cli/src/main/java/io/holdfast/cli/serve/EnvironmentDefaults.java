package io.holdfast.cli.serve;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Reads the defaults of options from the environment: {@code --port} from HOLDFAST_PORT. */
final class EnvironmentDefaults implements IDefaultValueProvider {
  private static final String PREFIX = "HOLDFAST_";

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option) || option.usageHelp() || option.versionHelp()) {
      return null;
    }
    String value = System.getenv(nameOf(option.longestName()));
    return value == null || value.isEmpty() ? null : value;
  }

  /** The variable of an option. */
  static String nameOf(String option) {
    return PREFIX + option.replaceFirst("^-+", "").replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
