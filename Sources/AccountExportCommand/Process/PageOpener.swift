internal import Files
internal import Processes

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The program that shows a page to the user, in the browser of their choice.
struct PageOpener {
  private let call: ProgramCall

  #if canImport(Darwin)
    private static let name: PathBytes = "open"
  #else
    private static let name: PathBytes = "xdg-open"
  #endif
  private static let hint = "--print-path prints where the first page lies, for you to open"

  /// Finds the program before anything is unpacked for it.
  static func find() throws(CommandError) -> PageOpener {
    var environment = ProgramCall.wholeEnvironment()
    environment["TZ"] = ProcessSettings.inheritedTimeZone
    let call = ProgramCall([name], environment: environment)
    do throws(ProcessError) { _ = try call.program() } catch {
      throw CommandError(.failure, "nothing is found to open a page with: \(error.message)", hint: hint)
    }
    return PageOpener(call: call)
  }

  /// A browser may be what it becomes, and stay. What can't open a page says so soon.
  private static let watched = Duration.seconds(3)

  /// Opens a page. The browser goes on when this process ends.
  func open(_ page: PathBytes) throws(CommandError) {
    var call = call
    call.arguments.append(page)
    umask(ProcessSettings.inheritedMask)
    let ending: String
    do throws(ProcessError) {
      switch try DetachedProgram.start(call, watchedFor: Self.watched) {
      case nil, .exited(0), .unknown: return
      case .exited(let status): ending = "ended with \(status)"
      case .signalled(let signal): ending = "was ended by signal \(signal)"
      }
    } catch {
      throw CommandError(.failure, "\(error.message)", hint: Self.hint)
    }
    throw CommandError(.failure, "\(Self.name.display) \(ending), and did not open \(page.display)", hint: Self.hint)
  }
}
