import AccountDeletion
import AccountExport
import CCrashPoints
import FileDeletion
import Files

/// Carries out the deletion in a folder of the crash test's, and is killed before the call of that number:
/// `deletion-crash FOLDER REQUEST NUMBER`. Prints how many calls there were.
let arguments = CommandLine.arguments
guard arguments.count == 4, let number = Int(arguments[3]) else { throw DeletionError(.illegal, "deletion-crash FOLDER REQUEST NUMBER") }
let folder = PathBytes(arguments[1])
let state = folder.appending("state")
let journal = try DeletionJournal(in: state)
let signer = try StateFolder(state, creating: false).signer()
let pepper = try Pepper(file: folder.appending("pepper"), outside: state)
let protected = ProtectedFolders(homes: [folder.appending("home")], closed: [state])
let run = try DeletionRun(
  journal,
  steps: [
    FilesStep(folder.appending("root"), named: "Notes", protected: protected),
    FilesStep(store: folder.appending("outside/Notes.sqlite"), named: "Notes", protected: protected),
  ])
crashpoints_arm(number)
_ = try await run.run(arguments[2], of: DataSubject(id: "mira"), signer: signer, pepper: pepper)
print(crashpoints_count())
