import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from gemmviz.gui.widgets.question import Answer, Question

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ANSWERS = (Answer.DISCARD, Answer.CANCEL, Answer.SAVE)


def answered(qtbot, key: Qt.Key | None = None, button: str = "") -> Answer:
    """What comes of pressing a key, or a button, once the question is there."""

    def press() -> None:
        question = QApplication.activeModalWidget()
        if key is not None:
            qtbot.keyClick(question, key)
        else:
            question.findChild(QPushButton, button).click()

    QTimer.singleShot(0, press)
    return Question.ask(None, "Save?", "<b>a.gemmviz</b> is not saved.", ANSWERS, Answer.SAVE)


def test_that_a_button_is_the_answer_and_escape_cancels(qtbot) -> None:
    assert answered(qtbot, button="answerDiscard") is Answer.DISCARD
    assert answered(qtbot, button="answerSave") is Answer.SAVE
    assert answered(qtbot, Qt.Key.Key_Escape) is Answer.CANCEL
    assert answered(qtbot, Qt.Key.Key_Return) is Answer.SAVE


def test_that_enter_presses_the_button_with_the_focus(qtbot) -> None:
    question = Question(None, "Save?", "a.gemmviz is not saved.", ANSWERS, Answer.SAVE)
    qtbot.addWidget(question)
    question.show()
    button = question.findChild(QPushButton, "answerDiscard")
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Return)
    assert question.answer is Answer.DISCARD


def test_that_a_question_shows_text_as_it_is_and_has_its_own_icon(qtbot) -> None:
    question = Question(None, "Save?", "<b>a.gemmviz</b> is not saved.", ANSWERS, Answer.SAVE)
    qtbot.addWidget(question)
    assert question.findChild(QLabel, "questionWords").text() == "<b>a.gemmviz</b> is not saved."
    assert question.focusWidget().accessibleName() == "Save"
    assert any(not label.pixmap().isNull() for label in question.findChildren(QLabel))
    assert all(button.icon().isNull() for button in question.findChildren(QPushButton))


@pytest.mark.parametrize("answers", [ANSWERS, (Answer.REPLACE, Answer.CANCEL), (Answer.ALLOW, Answer.CANCEL)])
def test_that_each_button_has_a_letter_of_its_own(qtbot, answers: tuple[Answer, ...]) -> None:
    question = Question(None, "Save?", "a.gemmviz is not saved.", answers, answers[-1])
    qtbot.addWidget(question)
    letters = [button.text().partition("&")[2][:1].upper() for button in question.findChildren(QPushButton)]
    assert all(letters)
    assert len(set(letters)) == len(answers)
    assert [button.accessibleName() for button in question.findChildren(QPushButton)] == [*map(str, answers)]
