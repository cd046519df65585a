package io.holdfast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file that tokens are kept in. */
class TokenFileTest {
  private static final long NOW = 1_800_000_000_000L;
  private static final int SOMEBODY = 54_321;
  private static final long DAY_MS = 24L * 3600 * 1000;

  @TempDir Path directory;
  private Path path;
  private TokenFile file;

  @BeforeEach
  void open() {
    path = directory.resolve("holdfast.tokens");
    file = new TokenFile(path);
  }

  private TokenFile.Made make(String name) {
    return file.create(
        new TokenWish(name, Role.READ_WRITE, NamePatterns.of(List.of("orders.*", "mail")), 0), NOW);
  }

  @Test
  void shouldKeepEverythingButTheSecret() throws IOException {
    // when
    TokenFile.Made made = make("billing");
    // then
    assertThat(file.read()).containsExactly(made.token());
    assertThat(made.text()).matches("hf_[a-z2-9]{10}_[A-Za-z0-9_-]{43}");
    String secret = made.text().substring(14);
    assertThat(Files.readString(path))
        .contains("billing", "orders.*", "read-write", made.token().id())
        .doesNotContain(secret);
    assertThat(made.toString()).doesNotContain(secret);
    assertThat(TokenText.parse(made.text())).hasToString("hf_" + made.token().id());
  }

  @Test
  void shouldBelongToItsOwnerAlone() throws IOException {
    make("a");
    make("b");
    try (var files = Files.list(directory)) {
      assertThat(files)
          .hasSize(2)
          .allSatisfy(
              one ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
                      .isEqualTo("rw-------"));
    }
  }

  @Test
  void shouldLetItsGroupReadOnIfItMay() throws IOException {
    make("a");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r--r-----"));
    make("b");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-r-----");
  }

  @Test
  void shouldStayItsOwnersIfRootChangesIt() throws IOException {
    assumeThat(Files.getAttribute(directory, "unix:uid")).as("only root gives away").isEqualTo(0);
    // given
    make("a");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    Files.setAttribute(path, "unix:uid", SOMEBODY);
    Files.setAttribute(path, "unix:gid", SOMEBODY);
    // when
    make("b");
    // then
    assertThat(Files.getAttribute(path, "unix:uid")).isEqualTo(SOMEBODY);
    assertThat(Files.getAttribute(path, "unix:gid")).isEqualTo(SOMEBODY);
    Path lock = directory.resolve("holdfast.tokens.lock");
    assertThat(Files.getAttribute(lock, "unix:uid")).isEqualTo(SOMEBODY);
    // A file that is new is its folder's owner's.
    Files.setAttribute(directory, "unix:uid", SOMEBODY);
    Files.delete(path);
    make("c");
    assertThat(Files.getAttribute(path, "unix:uid")).isEqualTo(SOMEBODY);
  }

  @Test
  void shouldRefuseAFileThatOthersMayWrite() throws IOException {
    make("a");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw----"));
    assertThatThrownBy(() -> file.read())
        .isInstanceOf(TokensException.class)
        .hasMessageContaining("chmod 600 " + path);
  }

  @Test
  void shouldRevokeOnceAndRememberWhen() {
    TokenFile.Made made = make("a");
    TokenFile.Made other = make("b");
    assertThat(file.revoke(made.token().id(), NOW + 5)).isEqualTo(made.token().revoked(NOW + 5));
    assertThat(file.revoke(made.token().id(), NOW + 9)).isEqualTo(made.token().revoked(NOW + 5));
    assertThat(file.revoke("abcdefghjk", NOW)).isNull();
    assertThat(file.read()).containsExactlyInAnyOrder(made.token().revoked(NOW + 5), other.token());
    assertThat(made.token().revoked(NOW).state(NOW)).isEqualTo("revoked");
  }

  @Test
  void shouldForgetTokensThatAreLongOver() {
    // given
    TokenFile.Made revoked = make("revoked");
    TokenFile.Made good = make("good");
    TokenFile.Made expired =
        file.create(new TokenWish("expired", Role.ADMIN, NamePatterns.ALL, NOW + 1), NOW);
    file.revoke(revoked.token().id(), NOW);
    // when
    TokenFile.Made late =
        file.create(new TokenWish("late", Role.ADMIN, NamePatterns.ALL, 0), NOW + 31 * DAY_MS);
    // then
    assertThat(file.read()).containsExactly(good.token(), late.token());
    assertThat(expired.token().state(NOW)).isEqualTo("good");
    assertThat(expired.token().state(NOW + 1)).isEqualTo("expired");
  }

  @Test
  void shouldLoseNothingIfManyWriteAtOnce() throws Exception {
    // given
    List<Future<TokenFile.Made>> made = new ArrayList<>();
    // when
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 40; i++) {
        String name = "t" + i;
        TokenFile same = new TokenFile(path);
        made.add(
            threads.submit(
                () -> same.create(new TokenWish(name, Role.ADMIN, NamePatterns.ALL, 0), NOW)));
      }
    }
    // then
    List<Token> all = new ArrayList<>();
    for (Future<TokenFile.Made> one : made) {
      all.add(one.get().token());
    }
    assertThat(file.read()).containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void shouldTellWhetherItCanBeReplaced() throws IOException {
    // given
    TokenFile.Made made = make("a");
    Path archive = directory.resolve("tokens.zip");
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Files.copy(path, zip.getPath("/tokens"));
    }
    // then
    assertThat(file.isReplaceable()).isTrue();
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("accessMode", "readOnly"))) {
      TokenFile copy = new TokenFile(zip.getPath("/tokens"));
      assertThat(copy.read()).containsExactly(made.token());
      assertThat(copy.isReplaceable()).isFalse();
    }
  }

  @Test
  void shouldReplaceWhatALinkPointsTo() throws IOException {
    // given
    Path real = directory.resolve("real.tokens");
    Files.createSymbolicLink(path, real);
    new TokenFile(real).create(new TokenWish("a", Role.ADMIN, NamePatterns.ALL, 0), NOW);
    // when
    make("b");
    // then
    assertThat(Files.isSymbolicLink(path)).isTrue();
    assertThat(new TokenFile(real).read()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tokens",
        "[]",
        "{}",
        "{\"format\":2,\"tokens\":[]}",
        "{\"format\":1}",
        "{\"format\":1,\"tokens\":[{}]}",
        "{\"format\":1,\"tokens\":[],\"more\":1}",
        "{\"format\":1,\"tokens\":[{\"id\":\"abcdefghjk\",\"name\":\"x\",\"role\":\"boss\","
            + "\"queues\":[\"*\"],\"sha256\":\"00\"}]}",
        "{\"format\":1,\"tokens\":["
      })
  void shouldSayThatAFileIsDamaged(String document) throws IOException {
    Files.writeString(path, document);
    assertThatThrownBy(() -> file.read())
        .isInstanceOf(TokensException.class)
        .hasMessageContainingAll(path.toString(), "is damaged: ");
    assertThatThrownBy(() -> make("a")).isInstanceOf(TokensException.class);
    assertThat(Files.readString(path)).isEqualTo(document);
  }

  @Test
  void shouldRefuseTheSameIdTwice() throws IOException {
    make("a");
    String twice = Files.readString(path).replaceFirst("\\[(\\{.*})]", "[$1,$1]");
    Files.writeString(path, twice);
    assertThatThrownBy(() -> file.read()).hasMessageContaining("is there twice");
  }

  @Test
  void shouldSayHowToMakeAFileThatIsMissing() {
    assertThatThrownBy(() -> file.read())
        .isInstanceOf(TokensException.class)
        .hasMessageContaining("holdfast token create --role admin --tokens " + path);
    assertThatThrownBy(() -> file.revoke("abcdefghjk", NOW)).isInstanceOf(TokensException.class);
    assertThat(path).doesNotExist();
  }

  @Test
  void shouldSayThatItCannotBeWritten() {
    TokenFile nowhere = new TokenFile(directory.resolve("missing").resolve("tokens"));
    TokenWish wish = new TokenWish("a", Role.ADMIN, NamePatterns.ALL, 0);
    assertThatThrownBy(() -> nowhere.create(wish, NOW))
        .isInstanceOf(TokensException.class)
        .hasMessageContaining("cannot be written");
  }
}
